/**
 * What well-known programs do with their words: which options take values, run programs, read or write files, and what
 * the operands are. From the programs' own manuals: GNU coreutils 9, grep 3, sed 4, tar 1.35, diffutils 3, gawk 5,
 * ripgrep 14, jq 1.7, curl 8, wget 1.2, zip 3, less, man-db, xxd, tree; of BSD what differs in letters. One table.
 */

/** What the words are that belong to no option. */
export type Operands =
  /** No files, or files of which only names and properties are told. */
  | "none"
  | "read"
  | "write"
  /** Replaced by another file with the same contents. */
  | "replace"
  /** Read by a pager, which runs what stands behind a `+`. */
  | "pager"
  /** Read, the first one aside: that is a pattern. */
  | "pattern"
  /** As `pattern`, and everything below; without a file, below the working folder. */
  | "tree"
  /** A script of sed or a program of awk, then files to read. */
  | "sed"
  | "awk"
  /** The last one is written, the others are read, or moved away. */
  | "copy"
  | "move"
  /** The first is read, the second is written. */
  | "inOut"
  /** The first is no file, all others are written. */
  | "mode"
  /** The first is written, all others are read. */
  | "archive"
  /** Read, and something is written below the working folder. */
  | "extract"
  /** The first is changed by what the second says; without any, files that a patch names. */
  | "patched"
  | "tar"
  /** `if=x of=y`. */
  | "assignments"
  /** Addresses. Those that begin with `file:` are files. */
  | "addresses"
  /** Tests of names, one of which reads names from a file. */
  | "find"
  /** The words of another command. */
  | "words"
  /** The text of a patch. */
  | "patch"

/** One program. */
export interface ProgramRow {
  readonly options: string
  readonly operands: Operands
  /** It writes by its nature: a rule that allows it allows that, and options that are not listed here do no harm. */
  readonly isWriter?: true
  /** Its options are its own affair: none of them reads, writes or runs anything. */
  readonly isHarmless?: true
}

const help = "--help --version"

const reads = (options: string, operands: Operands = "read"): ProgramRow => ({
  options: `${options} ${help}`,
  operands
})
const writes = (options: string, operands: Operands): ProgramRow => ({ options, operands, isWriter: true })
const harmless: ProgramRow = { options: "", operands: "none", isHarmless: true }

const grep = reads(
  `-EFGPiwxzsvVbnHhoqaILlcTZUuy0123456789 -rR!search -e=script -f=read+script -mDBAC= -d=search
  --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp=script --file=read+script --ignore-case
  --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --max-count= --byte-offset
  --line-number --line-buffered --with-filename --no-filename --label= --only-matching --quiet --silent
  --binary-files= --text --directories=search --devices= --recursive!search --dereference-recursive!search --include=
  --exclude= --exclude-from=read --exclude-dir= --files-without-match --files-with-matches --count --initial-tab
  --null --before-context= --after-context= --context= --group-separator= --no-group-separator --color? --colour?
  --binary --unix-byte-offsets`,
  "pattern"
)

const sed = reads(
  `-nrEsuz -e=script -f=run -l= -i?change -I?change --quiet --silent --debug --expression=script --file=run
  --follow-symlinks --in-place?change --line-length= --posix --regexp-extended --separate --sandbox --unbuffered
  --null-data`,
  "sed"
)

const awk = reads(
  `-F= -v= -f=run -i=run -l=run -e=script -E=run -o?write -d?write -p?write -D?run -bcChLMnNOPrsStVgI
  --field-separator= --assign= --file=run --include=run --load=run --source=script --exec=run --dump-variables?write
  --pretty-print?write --profile?write --debug?run --lint? --posix --re-interval --sandbox --traditional
  --characters-as-bytes --non-decimal-data --bignum --no-optimize --optimize --use-lc-numeric --csv`,
  "awk"
)

const checksum = reads(
  "-btzwc!list -a= -l= --binary --tag --text --zero --check!list --ignore-missing --quiet --status --strict --warn --algorithm= --length="
)
const compress = writes(
  "-ctl!names --stdout!names --to-stdout!names --test!names --list!names -Sb= --suffix=",
  "replace"
)
const coding = reads("-dDi -w= -b= -o=write --decode --ignore-garbage --wrap= --output=write --input=read")

const tar = writes(
  `-dtGSkUWOmpsMBiajJzZhPlRvwon -cruA!contents -x!change -f=read -LbHVKN= -C=folder -T=list -X=read -g=write -I=run -F=run
  --catenate --concatenate --create!contents --delete --diff --compare --append!contents --test-label --list
  --update!contents --extract!change --get!change --add-file=read --directory=folder --exclude= --exclude-from=read --files-from=list
  --file=read --info-script=run --new-volume-script=run --rmt-command=run --rsh-command=run --to-command=run
  --use-compress-program=run --checkpoint? --checkpoint-action=run --index-file=write --volno-file=write
  --listed-incremental=write --remove-files!change --to-stdout --force-local --label= --format= --owner= --group=
  --mode= --mtime= --transform= --xform= --strip-components= --sort= --newer= --after-date= --newer-mtime= --level=
  --blocking-factor= --record-size= --tape-length= --starting-file= --suffix= --one-top-level? --occurrence?
  --pax-option= --quoting-style= --warning= --hole-detection= --sparse-version= --exclude-tag= --exclude-ignore=
  --owner-map=read --group-map=read --xattrs-include= --xattrs-exclude= --totals? --atime-preserve? --backup?
  --exclude-caches --exclude-vcs --keep-old-files --overwrite --verbose --verify --gzip --bzip2 --xz --zstd --compress`,
  "tar"
)

const curl = reads(
  `-0123456aBfgGiIjklLMnNpqRsSvVZ# -O!change -JtQxXyYzAehmPrUwCuE= -d=at -F=at -H=at -w=at -T=read -K=run -o=write
  -c=write -D=write -b=at -E=read --data=at --data-ascii=at --data-binary=at --data-raw= --data-urlencode=at --json=at
  --form=at --form-string= --header=at --proxy-header=at --write-out=at --upload-file=read --config=run --output=write
  --output-dir=write --remote-name!change --remote-name-all!change --cookie-jar=write --dump-header=write --cookie=at --cert=read
  --key=read --cacert=read --capath=read --netrc-file=read --trace=write --trace-ascii=write --stderr=write
  --libcurl=write --etag-save=write --etag-compare=read --hsts=write --alt-svc=write --engine=run --variable=at
  --request= --user= --user-agent= --referer= --proxy= --max-time= --connect-timeout= --retry= --retry-delay=
  --retry-max-time= --range= --url= --url-query= --resolve= --limit-rate= --max-redirs= --max-filesize= --interface=
  --unix-socket= --oauth2-bearer= --ciphers= --tls-max= --dns-servers= --continue-at= --time-cond= --rate= --parallel-max=
  --compressed --fail --fail-with-body --fail-early --silent --show-error --location --location-trusted --head --include
  --insecure --verbose --get --globoff --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --no-buffer --no-progress-meter
  --progress-bar --remote-time --tlsv1.2 --tlsv1.3 --parallel --retry-all-errors --retry-connrefused --create-dirs
  --netrc --netrc-optional --path-as-is --raw --anyauth --basic --digest --ssl-reqd --remove-on-error
  --remote-header-name --next --disable --manual`,
  "addresses"
)

const rg = reads(
  `-.0FHILNPSUVabchilnopqsuvwxz -ABCEMTdgjmrt= -e=script -f=read+script --pre=run --hostname-bin=run --pre-glob=
  --file=read+script --regexp=script --ignore-file=read --files!script --type-list!script --after-context= --before-context= --context= --encoding=
  --max-columns= --type-not= --max-depth= --maxdepth= --glob= --iglob= --threads= --max-count= --replace= --type=
  --type-add= --type-clear= --color= --colors= --context-separator= --field-context-separator= --field-match-separator=
  --dfa-size-limit= --regex-size-limit= --engine= --generate= --hyperlink-format= --max-filesize= --path-separator=
  --sort= --sortr= --binary --block-buffered --byte-offset --case-sensitive --column --count --count-matches --crlf
  --debug --files-with-matches --files-without-match --fixed-strings --follow --glob-case-insensitive --heading --hidden
  --ignore-case --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns-preview
  --mmap --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-dot
  --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs
  --no-line-number --no-messages --no-mmap --no-require-git --no-unicode --null --null-data --one-file-system
  --only-matching --passthru --pcre2 --pcre2-version --pretty --quiet --search-zip --smart-case --stats --stop-on-nonmatch
  --text --trace --trim --unrestricted --vimgrep --with-filename --word-regexp`,
  "tree"
)

/** By the program's name. */
export const programTable: Readonly<Record<string, ProgramRow>> = {
  ...Object.fromEntries(
    [
      "echo printf true false : pwd cd pushd popd test [ which type date whoami id uname basename dirname seq sleep yes",
      "expr exit return break continue shift export unset set declare typeset local readonly read wait jobs kill ps df",
      "uptime tr realpath readlink nproc arch logname groups tty clear umask"
    ].flatMap((line) => line.split(" ").map((name) => [name, harmless]))
  ),
  cat: reads(
    "-AbeEnstTuvl --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting"
  ),
  tac: reads("-br -s= --before --regex --separator="),
  head: reads("-qvz0123456789bkmcn -cn= --bytes= --lines= --quiet --silent --verbose --zero-terminated"),
  tail: reads(
    `-Fqvz0123456789bcfr -cns= --follow? --bytes= --lines= --max-unchanged-stats= --pid= --quiet --silent --retry
    --sleep-interval= --verbose --zero-terminated`
  ),
  wc: reads("-cmlLw --bytes --chars --lines --files0-from=list --max-line-length --words --total="),
  ls: reads(
    `-aAbBcCdDeEfFgGhHiklLmnNoOpPqQrRsStuUvWxXyZ1@% -ITw= --all --almost-all --author --escape --block-size= --ignore-backups
    --color? --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group
    --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink?
    --indicator-style= --inode --ignore= --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars
    --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style=
    --tabsize= --width= --context --zero`,
    "none"
  ),
  stat: reads("-LFnqrsx -cft= --dereference --file-system --cached= --format= --printf= --terse", "none"),
  du: reads(
    `-0abcDHhkLlmPSsx -BdtI= -X=read --null --all --apparent-size --block-size= --bytes --total --dereference-args
    --max-depth= --files0-from=list --human-readable --inodes --dereference --count-links --no-dereference
    --separate-dirs --si --summarize --threshold= --time? --time-style= --exclude-from=read --exclude= --one-file-system`,
    "none"
  ),
  tree: reads(
    `-adflxqNQpughsDFviIrtUXJSnCAc -LPITH= -o=write -R!change --output=write --fromfile!list --noreport --dirsfirst --filesfirst
    --sort? --prune --charset= --filelimit= --timefmt= --gitignore --gitfile=read --matchdirs --ignore-case --du --si`,
    "none"
  ),
  file: reads(
    `-vzZbciklLhnN0prsSdE -eFP= -m=read -f=list -C!change --magic-file=read --files-from=list --compile!change --brief --mime
    --mime-type --mime-encoding --extension --keep-going --list --dereference --no-dereference --no-buffer --no-pad
    --print0 --preserve-date!change --raw --special-files --exclude= --exclude-quiet= --separator= --parameter= --uncompress
    --uncompress-noreport --apple --checking-printout --no-sandbox --debug`
  ),
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  rg,
  sed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  sort: reads(
    `-bdfgiMhnRrVmsuzcC -kSt= -o=write -T=write --ignore-leading-blanks --dictionary-order --ignore-case
    --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort
    --random-source=read --reverse --sort= --version-sort --batch-size= --check? --compress-program=run --debug
    --files0-from=list --key= --merge --output=write --stable --buffer-size= --field-separator=
    --temporary-directory=write --parallel= --unique --zero-terminated`
  ),
  uniq: reads(
    `-cdDiuz0123456789 -fsw= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique
    --zero-terminated --check-chars=`,
    "inOut"
  ),
  cut: reads(
    "-nsz -bcdfO= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated"
  ),
  nl: reads(
    `-p -bdfhilnsvw= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment=
    --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width=`
  ),
  comm: reads("-123zi --check-order --nocheck-order --output-delimiter= --total --zero-terminated"),
  join: reads("-iz -aejotv12= --ignore-case --check-order --nocheck-order --header --zero-terminated"),
  paste: reads("-sz -d= --delimiters= --serial --zero-terminated"),
  od: reads(
    `-vabcdfhilosxBDeFHILOX -AjNt= -Sw? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format=
    --output-duplicates --width? --traditional`
  ),
  hexdump: reads("-bcCdovxX -ens= -f=read --canonical --length= --skip= --no-squeezing"),
  xxd: reads("-abCeEdhprRuvi -cglnos=", "inOut"),
  strings: reads("-adfowU -neTts= --all --data --print-file-name --bytes= --radix= --encoding= --target="),
  rev: reads(""),
  fold: reads("-bs0123456789 -w= --bytes --spaces --width="),
  fmt: reads(
    "-cstu0123456789 -wpg= --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --width= --goal="
  ),
  expand: reads("-i0123456789 -t= --initial --tabs="),
  unexpand: reads("-a0123456789 -t= --all --first-only --tabs="),
  column: reads(
    "-tnexLJ -cosNlRTEHWOrpid= --table --output-width= --separator= --output-separator= --table-columns= --json"
  ),
  shuf: reads(
    "-ezr -in= -o=write --echo --input-range= --head-count= --output=write --random-source=read --repeat --zero-terminated"
  ),
  tsort: reads(""),
  base64: coding,
  base32: coding,
  cksum: checksum,
  md5sum: checksum,
  sha1sum: checksum,
  sha256sum: checksum,
  sha512sum: checksum,
  b2sum: checksum,
  shasum: checksum,
  zcat: reads("-fkLqv"),
  bzcat: reads("-kqsv"),
  xzcat: reads("-kqv"),
  cmp: reads("-blsvz -in= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent"),
  diff: reads(
    `-qsenyptTNiEZbwBadvHPh0123456789 -r!search -l!run -WFxSIDcCuUL= -X=read --normal --brief --report-identical-files
    --context? --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function
    --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --paginate!run
    --recursive!search --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case
    --no-ignore-file-name-case --exclude= --exclude-from=read --starting-file= --from-file=read --to-file=read
    --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space
    --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --line-format=
    --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format= --new-group-format=
    --unchanged-group-format= --changed-group-format= --minimal --horizon-lines= --speed-large-files --color? --palette=`
  ),
  jq: reads(
    `-nrRscCSeajMhVb -f=read+script -L=run --from-file=read+script --library-path=run --slurp --raw-input --raw-output
    --raw-output0 --join-output --ascii-output --compact-output --color-output --monochrome-output --sort-keys
    --exit-status --null-input --tab --indent= --seq --stream --stream-errors --unbuffered --arg== --argjson== --slurpfile==read
    --rawfile==read --args --jsonargs --binary --build-configuration`,
    "pattern"
  ),
  less: reads(
    `-aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWX~ -bhjpPxyzD"#= -oO=run -kTt=run --LINE-NUMBERS --RAW-CONTROL-CHARS
    --quit-if-one-screen --no-init --chop-long-lines --ignore-case --pattern=`,
    "pager"
  ),
  more: reads("-dlfpcsu0123456789 -n=", "pager"),
  man: reads(
    "-aDfkKiIuwWcVl -sSeELMRmpr= -CBP=run -tZ!run -HTX?run --pager=run --html?run --sections= --all --apropos --whatis --local-file --where --path"
  ),
  tee: writes("-aip --append --ignore-interrupts --output-error?", "write"),
  touch: writes("-acfhm -dt= -r=read --date= --time= --reference=read", "write"),
  mkdir: writes("-pvZ -m= --mode=", "write"),
  rmdir: writes("-pv", "write"),
  rm: writes("-fiIdv -rR!search --recursive!search", "write"),
  unlink: writes("", "write"),
  shred: writes("-fuvxz -ns= --iterations= --size= --random-source=read", "write"),
  truncate: writes("-co -s= -r=read --size= --reference=read", "write"),
  chmod: writes("-cfv -R!search --recursive!search --reference=read+script", "mode"),
  chown: writes("-cfvhHLP -R!search --recursive!search --from= --reference=read+script", "mode"),
  chgrp: writes("-cfvhHLP -R!search --recursive!search --reference=read+script", "mode"),
  cp: writes(
    "-bdfiHlLnPpsTuvxZ -rRa!search -S= -t=into --archive!search --recursive!search --suffix= --target-directory=into --sparse= --no-preserve=",
    "copy"
  ),
  mv: writes("-bfinTuvZ -S= -t=into --suffix= --target-directory=into", "move"),
  ln: writes("-bdFfiLnPrsTvh -S= -t=into --suffix= --target-directory=into", "copy"),
  install: writes(
    "-bcCDdpsTvZ -gmoS= -t=into --mode= --owner= --group= --suffix= --target-directory=into --strip-program=run",
    "copy"
  ),
  rsync: writes(
    `-vqcRbudlLkKHpAXogDtOJSnWxCzhPirasmUNFE0468y -eM=run -BfT@= --rsh=run --rsync-path=run --exclude= --include=
    --filter= --exclude-from=read --include-from=read --files-from=list --log-file=write --write-batch=write
    --read-batch=read --password-file=read --temp-dir=write --partial-dir=write --backup-dir=write`,
    "copy"
  ),
  scp: writes("-346ABCpqrTv -r!search -cDFiJlPX= -oS=run", "copy"),
  dd: writes("", "assignments"),
  split: writes(
    `-dxeu0123456789 -abClnt= --suffix-length= --additional-suffix= --bytes= --line-bytes= --filter=run --lines= --number=
    --separator= --numeric-suffixes? --hex-suffixes? --elide-empty-files --unbuffered`,
    "inOut"
  ),
  sponge: writes("-a", "write"),
  patch: writes(
    "-bcefElnNRstTuvZ -BDFgpVYz= -i=read -o=write -r=write -d=folder --input=read --output=write --reject-file=write --directory=folder",
    "patched"
  ),
  apply_patch: writes("", "patch"),
  applypatch: writes("", "patch"),
  tar,
  bsdtar: tar,
  zip: writes(
    "-rR!search -m!change -bnt= -xi= -P= -O=write -T=run --unzip-command=run --recurse-paths!search",
    "archive"
  ),
  unzip: writes("-p!names -l!names -v!names -t!names -Z!names -z!names -xP= -d=into", "extract"),
  gzip: compress,
  gunzip: compress,
  bzip2: compress,
  bunzip2: compress,
  xz: compress,
  unxz: compress,
  zstd: compress,
  curl,
  wget: writes(
    `-O=write -o=write -a=write -P=into -i=read -e=run -B= -UTtwQ= --output-document=write --output-file=write
    --append-output=write --directory-prefix=into --input-file=read --post-file=read --body-file=read --execute=run
    --config=run --use-askpass=run --load-cookies=read --save-cookies=write --certificate=read --private-key=read
    --ca-certificate=read --warc-file=write --header= --post-data= --user= --password= --user-agent=`,
    "extract"
  ),
  fd: reads(
    `-HIsigaluLpqj01h -eEtdSoc= -xX=run --exec=run --exec-batch=run --base-directory= --search-path= --glob --hidden
    --no-ignore --type= --extension= --exclude= --max-depth= --min-depth= --exact-depth= --size= --changed-within=
    --changed-before= --owner= --color= --absolute-path --full-path --follow --ignore-case --case-sensitive
    --fixed-strings --print0 --list-details --ignore-file=read --threads= --max-results= --quiet --show-errors
    --one-file-system --strip-cwd-prefix --and=`,
    "none"
  ),
  find: writes("", "find"),
  xargs: writes(
    "-0rtpxo -adEILnPs= -a=read -eil? --arg-file=read --delimiter= --max-args= --max-procs= --max-chars=",
    "words"
  ),
  source: reads("", "read"),
  ".": reads("", "read")
}
