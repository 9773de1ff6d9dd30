/**
 * What git's commands do with their words, from the manual of git 2.47. Those that only read are listed with all their
 * options; of the others, what makes git run a program or open a file.
 */

/** What the operands of a command of git are. */
export type GitOperands =
  /** No contents of files are shown. */
  | "none"
  /** Versions and paths of which contents are shown: `HEAD:x`, `-- x`; without any, all there is. */
  | "contents"
  /** The same, once an option asks for contents. */
  | "history"
  /** A pattern, then versions and paths to search. */
  | "pattern"
  /** Files that are read, or written. */
  | "read"
  | "write"
  /** A program to run, or what decides about such programs. */
  | "run"

/** One command of git. */
export interface GitRow {
  readonly options: string
  readonly operands: GitOperands
  /** It changes the repository by its nature; options that are not listed here do no harm. */
  readonly isWriter?: true
}

/** Before the command. */
export const gitOptions = `-C=folder -c=run -pPhv --exec-path?run --config-env=run --git-dir=run --work-tree=folder --namespace=
  --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs
  --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --version --help --html-path --man-path --info-path
  --super-prefix= --list-cmds= --attr-source=`

const diffing = `-p!contents -u!contents -U?contents -c!contents -m!contents --cc!contents --patch!contents --unified?contents
  --patch-with-raw!contents --patch-with-stat!contents --binary!contents --function-context!contents -W!contents
  --word-diff?contents --word-diff-regex=contents --color-words?contents --dd!contents --remerge-diff!contents
  --diff-merges=contents --combined-all-paths --no-diff-merges
  -s!names --no-patch!names --raw!names --numstat!names --shortstat!names --dirstat?names --dirstat-by-file?names
  --cumulative!names --summary!names --name-only!names --name-status!names --stat?names --compact-summary!names -X?names
  --check!contents --stat-width= --stat-name-width= --stat-graph-width= --stat-count= --full-index --color? --no-color
  --ws-error-highlight= --abbrev? --no-abbrev --src-prefix= --dst-prefix= --line-prefix= --no-prefix --default-prefix
  --inter-hunk-context= --output-indicator-new= --output-indicator-old= --output-indicator-context= --break-rewrites?
  --find-renames? --irreversible-delete --find-copies? --find-copies-harder --no-renames --rename-empty
  --no-rename-empty --follow --no-follow --minimal --no-minimal --ignore-all-space --ignore-space-change
  --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines --ignore-matching-lines= --indent-heuristic
  --no-indent-heuristic --patience --histogram --diff-algorithm= --anchored= --color-moved? --no-color-moved
  --color-moved-ws= --no-color-moved-ws --relative? --no-relative --text --exit-code --quiet --ext-diff!run --no-ext-diff
  --textconv --no-textconv --ignore-submodules? --submodule?contents --ita-invisible-in-index --ita-visible-in-index
  --pickaxe-all --pickaxe-regex --rotate-to= --skip-to= --find-object= --diff-filter= --output=write --no-index!search
  --cached --staged --merge-base --base --ours --theirs -0 -z -a -b -w -R -D -B? -M? -C? -l= -S= -G= -O=read -I=
  -123456789 -q -h`

const walking = `--max-count= -n= --skip= --since= --after= --until= --before= --since-as-filter= --author= --committer=
  --grep-reflog= --grep= --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings
  --perl-regexp --remove-empty --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents
  --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude=
  --exclude-hidden= --reflog --alternate-refs --single-worktree --ignore-missing --bisect --stdin --cherry-mark
  --cherry-pick --left-only --right-only --cherry --walk-reflogs --merge --boundary --simplify-by-decoration
  --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order
  --topo-order --reverse --no-walk? --do-walk --pretty? --format= --abbrev-commit --no-abbrev-commit --oneline
  --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --show-notes-by-default --standard-notes
  --no-standard-notes --show-signature!run --no-show-signature --relative-date --date= --parents --children --left-right
  --graph --no-graph --show-linear-break? --source --no-source --use-mailmap --mailmap --no-mailmap --no-use-mailmap
  --clear-decorations --decorate? --no-decorate --decorate-refs= --decorate-refs-exclude= --log-size --timestamp
  --full-diff --no-commit-id --root -L=contents -EFPcgitrv0123456789`

const log = `${walking} ${diffing}`

/** By the command's name. */
export const gitTable: Readonly<Record<string, GitRow>> = {
  log: { options: log, operands: "history" },
  shortlog: { options: `${log} -nse -w? --numbered --summary --email --group=`, operands: "history" },
  whatchanged: { options: log, operands: "history" },
  reflog: { options: log, operands: "history", isWriter: true },
  "rev-list": {
    options: `${log} --count --objects --objects-edge --filter= --disk-usage? --header --use-bitmap-index`,
    operands: "none"
  },
  show: { options: log, operands: "contents" },
  diff: { options: `${diffing} -123`, operands: "contents" },
  "diff-tree": { options: `${log} -rt`, operands: "contents" },
  "diff-index": { options: diffing, operands: "contents" },
  "diff-files": { options: diffing, operands: "contents" },
  "range-diff": { options: `${log} --creation-factor= --no-dual-color --left-only --right-only`, operands: "contents" },
  blame: {
    options: `-bltscpefnwh -CM? -L= -S=read --root --show-stats --progress --no-progress --score-debug --show-name --show-number
      --porcelain --line-porcelain --incremental --show-email --ignore-rev= --ignore-revs-file=read --color-lines
      --color-by-age --minimal --contents=read --abbrev? --reverse --first-parent --date= --encoding=`,
    operands: "read"
  },
  "cat-file": {
    options: `-ets!names -p!contents -h --textconv --filters --path= --batch?contents --batch-check?names --batch-command?contents --batch-all-objects --buffer
      --unordered --allow-unknown-type --follow-symlinks --use-mailmap --mailmap -zZ --filter=`,
    operands: "contents"
  },
  grep: {
    options: `-viwaIrEGFPnlLzochpWq0123456789 -H -mABC= -e=script -f=read+script -O?run --open-files-in-pager?run --ext-grep!run --no-ext-grep
      --cached --no-index --index --untracked --exclude-standard --no-exclude-standard --recurse-submodules --invert-match
      --ignore-case --word-regexp --text --textconv --no-textconv --recursive --no-recursive --max-depth=
      --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --full-name
      --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break
      --heading --context= --before-context= --after-context= --threads= --show-function --function-context --and --or
      --not --quiet --all-match --max-count= --parent-basename=`,
    operands: "pattern"
  },
  status: {
    options: `-sbz -v!contents -u? -M? --short --branch --show-stash --porcelain? --long --verbose!contents --untracked-files? --ignored? --ignore-submodules?
      --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?`,
    operands: "history"
  },
  "ls-files": {
    options: `-cdmoiskutvfzh -x= -X=read --cached --deleted --modified --others --ignored --stage --directory --eol --deduplicate
      --no-empty-directory --unmerged --killed --resolve-undo --exclude= --exclude-from=read --exclude-per-directory=
      --exclude-standard --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev? --format= --sparse`,
    operands: "none"
  },
  "ls-tree": {
    options: "-drtlzh --long --name-only --name-status --object-only --abbrev? --full-name --full-tree --format=",
    operands: "none"
  },
  "rev-parse": { options: "", operands: "none", isWriter: true },
  describe: { options: "", operands: "none", isWriter: true },
  "show-ref": { options: "", operands: "none", isWriter: true },
  "for-each-ref": { options: "", operands: "none", isWriter: true },
  "merge-base": { options: "", operands: "none", isWriter: true },
  "name-rev": { options: "", operands: "none", isWriter: true },
  branch: { options: "--edit-description!run", operands: "none", isWriter: true },
  tag: { options: "-m= -F=read -u= --file=read --message= --edit!run", operands: "none", isWriter: true },
  remote: { options: "", operands: "none", isWriter: true },
  stash: { options: `-m= --message= --pathspec-from-file=list ${diffing}`, operands: "history", isWriter: true },
  add: {
    options: "-eip!run --edit!run --interactive!run --patch!run --chmod= --pathspec-from-file=list",
    operands: "read",
    isWriter: true
  },
  commit: {
    options: `-mcC= -F=read -t=read -p!run --message= --file=read --template=read --author= --date= --reuse-message=
      --reedit-message= --fixup= --squash= --trailer= --cleanup= --pathspec-from-file=list --patch!run --interactive!run`,
    operands: "read",
    isWriter: true
  },
  switch: { options: "-cC= --create= --force-create= --orphan= --conflict=", operands: "none", isWriter: true },
  checkout: { options: "-bB= --orphan= --conflict= --pathspec-from-file=list", operands: "write", isWriter: true },
  restore: { options: "-s= --source= --conflict= --pathspec-from-file=list", operands: "write", isWriter: true },
  reset: { options: "--pathspec-from-file=list", operands: "none", isWriter: true },
  rm: { options: "--pathspec-from-file=list", operands: "write", isWriter: true },
  mv: { options: "", operands: "write", isWriter: true },
  clean: { options: "-e= --exclude=", operands: "write", isWriter: true },
  apply: {
    options: "--directory= --exclude= --include= --build-fake-ancestor=write -pC=",
    operands: "read",
    isWriter: true
  },
  am: { options: "--directory= --exclude= --include= -pCS=", operands: "read", isWriter: true },
  "format-patch": { options: `-o=write --output-directory=write ${log}`, operands: "none", isWriter: true },
  archive: {
    options: "-o=write --output=write --exec=run --remote= --prefix= --format= --add-file=read",
    operands: "contents",
    isWriter: true
  },
  "hash-object": { options: "-t= --path= --stdin-paths!list", operands: "read", isWriter: true },
  fetch: { options: "--upload-pack=run --depth= --refmap= -jo=", operands: "none", isWriter: true },
  pull: { options: "--upload-pack=run --depth= --refmap= -jo=", operands: "none", isWriter: true },
  push: { options: "--receive-pack=run --exec=run -o= --push-option= --repo=", operands: "none", isWriter: true },
  clone: {
    options: "-c=run --config=run -u=run --upload-pack=run --template=run -bojR= --branch= --origin= --depth=",
    operands: "write",
    isWriter: true
  },
  init: { options: "--template=run -b= --initial-branch= --separate-git-dir=write", operands: "write", isWriter: true },
  "ls-remote": { options: "--upload-pack=run --exec=run -o= --sort=", operands: "none", isWriter: true },
  "fetch-pack": { options: "--upload-pack=run --exec=run", operands: "none", isWriter: true },
  "send-pack": { options: "--receive-pack=run --exec=run", operands: "none", isWriter: true },
  rebase: { options: "-x=run --exec=run -i!run --interactive!run", operands: "none", isWriter: true },
  bundle: { options: "", operands: "write", isWriter: true },
  ...Object.fromEntries(
    "config submodule bisect filter-branch difftool mergetool instaweb send-email hook for-each-repo gui citool daemon"
      .split(" ")
      .map((name): [string, GitRow] => [name, { options: "", operands: "run", isWriter: true }])
  )
}

/** The forms of commands that run programs in which they do not. */
export const gitQueries: Readonly<Record<string, ReadonlySet<string>>> = {
  config: new Set(["--get", "--get-all", "--get-regexp", "--list", "-l", "get", "list"]),
  submodule: new Set(["status", "summary", "init", "sync"]),
  bisect: new Set(["start", "good", "bad", "new", "old", "skip", "reset", "log", "view", "terms"])
}
