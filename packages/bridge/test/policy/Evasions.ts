/** Texts that write, run or read what a policy forbids, in as many spellings as programs accept. Data for the tests. */

/** Ways to put a text into another. */
const around: Readonly<Record<string, (text: string) => string>> = {
  env: (t) => `env ${t}`,
  command: (t) => `command ${t}`,
  timeout: (t) => `timeout 5 ${t}`,
  nice: (t) => `nice -n 1 ${t}`,
  bash: (t) => `bash -c '${t.replaceAll("'", "'\\''")}'`,
  sh: (t) => `sh -c '${t.replaceAll("'", "'\\''")}'`,
  eval: (t) => `eval '${t.replaceAll("'", "'\\''")}'`,
  after: (t) => `ls; ${t}`,
  chained: (t) => `ls && ${t}`,
  piped: (t) => `ls | ${t}`,
  subshell: (t) => `( ${t} )`,
  substituted: (t) => `ls "$(${t})"`,
  printed: (t) => `echo "$(${t})"`,
  process: (t) => `cat <(${t})`,
  condition: (t) => `if ls; then ${t}; fi`,
  folder: (t) => `cd . && ${t}`,
  xargs: (t) => `echo a.txt | xargs ${t}`,
  find: (t) => `find . -maxdepth 0 -exec ${t} \\;`
}

/** Every text alone and in one of the ways, in turn. */
export const wrappedTexts = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const ways = Object.values(around)
  return [...new Set(texts.flatMap((text, at) => [text, ways[at % ways.length]?.(text) ?? text]))]
}

/** Each program with each spelling of what makes it write: `§` stands for where the file is named. */
const spelled = (program: string, spellings: string, rest = ""): ReadonlyArray<string> =>
  spellings.split(" | ").map((spelling) => `${program} ${spelling.replaceAll("§", "out.txt")}${rest && ` ${rest}`}`)

const output = "--output=§ | --output § | --outpu=§ | --outpu §"

/** Texts that change a file of the project, or make one. */
export const writingTexts: ReadonlyArray<string> = [
  ...["log", "show", "diff", "log -p", "log --oneline", "diff HEAD~1"].flatMap((sub) => spelled(`git ${sub}`, output)),
  ...["git -C .", "git --no-pager", "git -P", "/usr/bin/git"].map((git) => `${git} log --output=out.txt`),
  ...["git log HEAD --output=out.txt -- a.txt", "git log -1 -p --output out.txt", "git shortlog HEAD --output=out.txt"],
  ...spelled("sort", `-o § | -o§ | -uo § | -ruo§ | --o=§ | ${output}`, "a.txt"),
  ...["sort a.txt -o out.txt", "sort -- a.txt > out.txt", "sort -T . --compress-program='touch out.txt' -S1 a.txt"],
  ...spelled("shuf", "-o § | -o§ | --output=§", "a.txt"),
  ...spelled(
    "sed",
    "-i s/a/x/ | -i.bak s/a/x/ | -n -i p | -ni p | -n -e 1p -i | --in-place s/a/x/ | --in-pl s/a/x/",
    "a.txt"
  ),
  ...spelled("sed", "'w §' | -n '1w §' | 's/a/x/w §' | '1e touch §' | 's/.*/touch §/e' | -e p -e 'w §'", "a.txt"),
  ...spelled("sed -n", "'/a/w §' | '1,2{w §' | '$!w §' | '1!{p;w §' | 's/[/]/x/;w §'", "a.txt"),
  ...['{print > "out.txt"}', '{printf "x" > "out.txt"}', 'BEGIN{system("touch out.txt")}'].map(
    (program) => `awk '${program}' a.txt`
  ),
  "awk '{print | \"tee out.txt\"}' a.txt",
  ...["tee out.txt", "tee -a a.txt", "tee -- out.txt", "cat a.txt | tee out.txt"],
  ...spelled("find .", "-fprint § | -fprint0 § | -fls § | -fprintf § x | -name a.txt -delete | -exec touch § ;"),
  ...["uniq a.txt out.txt", "xxd a.txt out.txt", "split -l1 a.txt out", "cp a.txt out.txt", "cp -t src a.txt"],
  ...["mv a.txt out.txt", "ln a.txt out.txt", "ln -s a.txt out.txt", "touch out.txt", "mkdir out", "chmod 777 a.txt"],
  ...["dd if=a.txt of=out.txt", "install a.txt out.txt", "gzip a.txt", "zip out.zip a.txt", "tar cf out.tar a.txt"],
  ...["tar xf archive.tar", "tar cIf 'touch out.txt' /dev/null a.txt", "tar -I'touch out.txt' -cf /dev/null a.txt"],
  ...[
    "tar c --use-compress-prog='touch out.txt' -f x.tar a.txt",
    "tar cf /dev/null --to-command='touch out.txt' a.txt"
  ],
  ...["tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='touch out.txt' a.txt"],
  ...spelled(
    "git grep",
    "-O'touch §' | -Otouch | -iO'touch §' | --open-files-in-pager='touch §' | --open='touch §'",
    "alpha"
  ),
  ...["git -c core.pager='touch out.txt' -p log", "git -c alias.x='!touch out.txt' x", "git --exec-path=. log"],
  ...["git branch new", "git tag new", "git stash", "git checkout HEAD~1 -- b.txt", "git config user.name B"],
  ...[
    "git archive -o out.tar HEAD",
    "git format-patch -1 -o out",
    "git bundle create out HEAD",
    "git update-index --refresh"
  ],
  ...["git log --show-signature", "git log --format=%G?", "git reflog expire --all", "git worktree add out"],
  ...["ls > out.txt", "ls >> a.txt", "ls 2> out.txt", "ls &> out.txt", "ls >| out.txt", "ls 1<> out.txt", "> out.txt"],
  ...[
    "exec > out.txt",
    "cat a.txt > out.txt",
    "cat <<E > out.txt\nx\nE",
    "grep a a.txt > out.txt",
    "ls > >(tee out.txt)"
  ],
  ...["head -c1 a.txt > src/a.ts", "wc a.txt > 'out.txt'", "git status > out.txt", "git log > out.txt"],
  ...["rg --pre 'touch out.txt' a a.txt", "curl -so out.txt file:///etc/hostname", "curl -sO file:///etc/hostname"],
  ...[
    "less -oout.txt a.txt",
    "man -P 'touch out.txt' ls",
    "base64 -o out.txt a.txt",
    "file -C -m a.txt",
    "tree -o out.txt"
  ],
  ...['node -e \'require("fs").writeFileSync("out.txt","")\'', 'python3 -c \'open("out.txt","w")\''],
  ...[
    "ls $(touch out.txt)",
    "ls `touch out.txt`",
    "touch=1 touch out.txt",
    "cat a.txt -- > out.txt",
    "tail -n1 a.txt>out.txt"
  ]
]

/** Texts that print what is in a secret file. */
export const revealingTexts: ReadonlyArray<string> = [
  ...[".env", "./.env", ".env.local", "sub/.env", "sub/../.env", "src/../.env", "innocent", "folder/.env", "$PWD/.env"],
  ...["~/.ssh/id_rsa", "$HOME/.ssh/id_rsa", "~/.aws/credentials", "~/.ssh/../.ssh/id_rsa", "/proc/self/cwd/.env"],
  ...[
    ".en*",
    ".en?",
    ".[e]nv",
    "{.env,a.txt}",
    ".e{nv,x}",
    "~/.ssh/*",
    "~/.ssh/id_*",
    "'.env'",
    '.e"n"v',
    "$'.\\x65nv'"
  ]
]
  .flatMap((file) =>
    [
      ...[
        "cat",
        "head",
        "tail -n1",
        "head -n 5 --",
        "grep .",
        "grep -h -e .",
        "grep -ie .",
        "grep -f a.txt -v",
        "cat a.txt"
      ],
      ...[
        "sed p",
        "sort",
        "wc --files0-from",
        "git diff --no-index /dev/null",
        "git log -p --",
        "git grep . --",
        "rg ."
      ]
    ].map((program) => `${program} ${file}`)
  )
  .concat([
    ...[
      "cat < .env",
      "head -n1 < sub/.env",
      "cat 0< .env",
      "cat <> .env",
      'echo "$(< .env)"',
      "echo $(<.env)",
      "cat <<< $(<.env)"
    ],
    ...[
      "while read l; do echo $l; done < .env",
      "read x < .env; echo $x",
      "grep -r . .",
      "grep -rh . sub",
      "grep -R . ./"
    ],
    ...[
      "grep -d recurse . .",
      "grep -dr KEY .",
      "grep --dir=recurse KEY .",
      "rg -uu KEY",
      "git grep KEY",
      "git grep -h KEY HEAD"
    ],
    ...["git show HEAD:.env", "git show :.env", "git show :0:.env", "git show HEAD:sub/.env", "git show HEAD~1:./.env"],
    ...[
      "git show",
      "git show HEAD~2",
      "git show main",
      "git log -p",
      "git log --patch",
      "git log -u",
      "git log -1 -p HEAD~2"
    ],
    ...[
      "git log -U0",
      "git log --cc -m -p",
      "git log -L1,1:.env",
      "git log -p -- .env",
      "git log -p -- ':(glob)**/.env'",
      "git log --stat -p"
    ],
    ...[
      "git diff HEAD~2",
      "git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD -- .env"
    ],
    ...[
      "git cat-file -p HEAD:.env",
      "git blame .env",
      "git archive HEAD .env",
      "git stash show -p",
      "git show $(git rev-parse HEAD:.env)"
    ],
    ...["git -C sub show HEAD:./.env", "git -C sub diff --no-index /dev/null .env", "git show HEAD:.env -- a.txt"],
    ...[
      "cd sub && cat .env",
      "cd sub; cat .env",
      "cd sub; cd ..; cat .env",
      "cd ~/.ssh; cat id_rsa",
      "cd ~/.ssh && cat id_rsa"
    ],
    ...[
      "cd ~; cat .ssh/id_rsa",
      "cd; cat .ssh/id_rsa",
      "cd ~/.ssh && cat *",
      "cd ~ && cd .ssh && cat id_rsa",
      "(cd ~/.ssh; cat id_rsa)"
    ],
    ...[
      "cd ~/.ssh || true; cat id_rsa",
      "if cd ~/.ssh; then cat id_rsa; fi",
      "cd ~/.ssh | cat id_rsa; cat .env",
      "pushd ~/.ssh; cat id_rsa"
    ],
    ...[
      "x=.env; cat $x",
      'x=.env; cat "$x"',
      "for f in .env; do cat $f; done",
      'for f in *; do cat "$f"; done',
      "cat $(echo .env)"
    ],
    ...[
      "find . -name .env -exec cat {} +",
      "find . -name '.e*' | xargs cat",
      "echo .env | xargs cat",
      "xargs -a .env echo",
      "xargs -a.env echo"
    ],
    ...[
      "find . -type f -exec grep -h . {} +",
      "find -files0-from .env",
      "cp .env a.txt; cat a.txt",
      "ln -s .env z; cat z",
      "mv .env z; cat z"
    ],
    ...[
      "git add .env.local; git diff --cached",
      "git commit -q --allow-empty -F .env; git log -1",
      "tar cO .env",
      "tar c ."
    ],
    ...[
      "bash .env",
      "sh -x .env",
      ". ./.env; echo $KEY",
      "source .env; echo $KEY",
      "node --test .env",
      "make -f .env",
      "cat<.env"
    ],
    ...[
      "test -f .env && cat .env",
      "stat .env; cat .env",
      "echo .env | while read f; do cat $f; done",
      "cat -- .env",
      "cat -n -- .env"
    ]
  ])

/** Texts that run what the guard rails name, or write what they protect. */
export const accidents: ReadonlyArray<string> = [
  ...[
    "sudo ls",
    "sudo -n ls",
    "/usr/bin/env sudo ls",
    "SUDO ls",
    "shutdown now",
    "reboot",
    "mkfs.ext4 x",
    "rm a.txt",
    "rm -rf src"
  ],
  ...["rm -- a.txt", "\\rm a.txt", 'r"m" a.txt', "shred a.txt", "truncate -s0 a.txt", "find . -name a.txt -delete"],
  ...[
    "find . -name a.txt -exec rm {} +",
    "git push",
    "git push --force origin main",
    "git -C . push",
    "git push -f",
    "git push origin HEAD~1:main -f"
  ],
  ...[
    "git reset --hard HEAD~1",
    "git reset HEAD~1 --hard",
    "git reset -q --har HEAD~1",
    "git init -q ~/.ssh/c",
    "git clone -q . ~/.ssh/c",
    "wget -qO ~/.bashrc http://127.0.0.1:9/",
    "git -C . reset --hard HEAD~1",
    "git clean -fdx",
    "git -c x.y=z clean -fd"
  ],
  ...[">", ">>", "&>", ">|"].flatMap((to) =>
    ["~/.bashrc", "~/.zshrc", "~/.ssh/x", "$HOME/.bashrc"].map((f) => `echo x ${to} ${f}`)
  ),
  ...["~/.bashrc", "~/.zshrc", "~/.ssh/authorized_keys", "~/.ssh/../.bashrc", "$HOME/.bashrc"].flatMap((file) => [
    ...[
      `tee ${file}`,
      `tee -a ${file}`,
      `cp a.txt ${file}`,
      `cp -f -- a.txt ${file}`,
      `mv a.txt ${file}`,
      `ln -sf a.txt ${file}`
    ],
    ...[
      `install a.txt ${file}`,
      `dd if=a.txt of=${file}`,
      `sort a.txt -o ${file}`,
      `sort -o${file} a.txt`,
      `sed -i s/m/x/ ${file}`
    ],
    ...[
      `git log --output=${file}`,
      `curl -so ${file} file:///etc/hostname`,
      `touch ${file}`,
      `chmod 777 ${file}`,
      `shuf -o ${file} a.txt`
    ],
    ...[
      `uniq a.txt ${file}`,
      `xxd a.txt ${file}`,
      `gzip ${file}`,
      `awk '{print > "/dev/stdout"}' a.txt | tee ${file}`,
      `split a.txt ${file}`
    ]
  ]),
  ...[
    "cp dir/.bashrc ~",
    "cp -t ~ dir/.bashrc",
    "cp --target-directory=$HOME dir/.bashrc",
    "mv dir/.bashrc ~/",
    "cp -r dir/. ~"
  ],
  ...[
    "cp dir/.b* ~",
    "install -t ~ dir/.bashrc",
    "cd; cp ~+/x .bashrc",
    "cd ~ && tee .bashrc",
    "cd ~; echo x > .bashrc",
    "cd ~/.ssh && touch x"
  ],
  ...[
    "tar xf archive.tar -C ~",
    "tar -C ~ -xf archive.tar",
    "tar xCf ~ archive.tar",
    "mkdir ~/.ssh/x",
    "rsync dir/.bashrc ~",
    "patch ~/.bashrc a.txt"
  ]
]

/** Every option in the tables of some programs: with a file as its value where it takes one. */
export const optionTexts = (
  programs: ReadonlyArray<{ readonly command: string; readonly options: string; readonly rest: string }>
): ReadonlyArray<string> =>
  programs.flatMap(({ command, options, rest }) =>
    options.split(/\s+/).flatMap((token) => {
      const [, dashes, names = "", sign] = /^(--?)([^=?!]+)(==|[=?!])?/.exec(token) ?? []
      if (dashes === undefined) return []
      const each = dashes === "--" ? [names] : [...names]
      return each
        .filter((name) => !/^(f|F|follow|retry|stdin)$/.test(name) || command !== "tail")
        .flatMap((name) => {
          const option = `${dashes}${name}`
          const joint = dashes === "--" ? "=" : ""
          if (sign === "=") return [`${command} ${option} out.txt ${rest}`]
          const plain = `${command} ${option} ${rest}`
          return sign === "?" ? [plain, `${command} ${option}${joint}out.txt ${rest}`] : [plain]
        })
    })
  )
