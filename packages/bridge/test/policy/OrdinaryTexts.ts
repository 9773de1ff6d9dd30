/** What developers and agents type every day. All of it must be understood: to doubt everything is no way to be safe. */
export const ordinaryTexts: ReadonlyArray<string> = [
  // One command, and what is known of git, npm and the like.
  ...[
    "ls",
    "ls -la",
    "pwd",
    "git status",
    "git diff --stat HEAD~1",
    "git log --oneline -n 5",
    "git add -A",
    "npm test"
  ],
  ...["npm run build -- --watch=false", "npx vitest run packages/a.test.ts -t 'does it'", "node --version", "make -j4"],
  ...["cargo test --all -- --nocapture", "python3 -m pytest -q tests/test_a.py::test_b", "go test ./...", "tsc -p ."],
  ...["docker ps --format '{{.Names}}'", "kubectl get pods -n default -o wide", "gh pr view 12 --json title,body"],
  ...[
    "git show HEAD:src/a.ts",
    "git stash@{0}",
    "git diff main...HEAD",
    "git checkout -b feat/x",
    "git rev-parse @{u}"
  ],
  ...["git log --format='%h %s' --since=\"2 weeks ago\"", "git commit -m 'Fix it' -m \"Because it's broken\""],
  ...["curl -sS https://example.com/a?b=c", "curl -H 'Accept: application/json' \"http://localhost:3000/x?y=1&z=2\""],
  // Chains, pipes, redirections.
  ...["cd packages/a && npm test", "npm run lint && npm run types && npm test", "npm ci || npm install", "a; b; c"],
  ...["git status; git diff", "npm test 2>&1 | tail -n 20", "ls 2>/dev/null", "ls > /dev/null 2>&1", "sleep 1 &"],
  ...[
    "grep -rn 'foo' src | head -20",
    "grep -rnE \"a|b\" --include='*.ts' . | sort | uniq -c | sort -rn | head",
    "a |& b"
  ],
  ...[
    "cat a.txt | sed -n '1,20p'",
    "sed -n 1,20p a.txt",
    "awk '{print $1}' a.txt",
    "ps aux | grep node | grep -v grep"
  ],
  ...['rg -n "export (const|function) \\w+" src | wc -l', "find . -name '*.ts' -not -path './node_modules/*'"],
  ...[
    'find src -type f -name "*.ts" | xargs wc -l',
    "find . -maxdepth 2 -type d",
    "find . -name x -print0 | xargs -0 ls"
  ],
  ...["find . -type f -newer a -size +10k -exec ls -l {} +", "find . \\( -name a -o -name b \\) -prune -o -print"],
  ...[
    "git ls-files | xargs -n1 basename",
    "ls | xargs -I{} echo {}",
    "jq '.scripts' package.json",
    "jq -r '.[] | .a' x"
  ],
  ...[
    "npm test > out.log 2>&1",
    "npm test &> out.log",
    "echo done >> log",
    "sort < in > out",
    "{ a; b; } > out",
    "wc <<< abc"
  ],
  ...["(cd a && ls)", "(a; b) | c", "! grep -q x y", "time npm test", "tee out < in", "diff <(sort a) <(sort b)"],
  // Variables and substitutions.
  ...["foo=bar npm test", "NODE_ENV=test npm test", "CI=1 npx vitest run", "LC_ALL=C sort a"],
  ...["echo $HOME", 'echo "$HOME/x" ${PWD}', "echo $(git rev-parse HEAD)", 'echo "now: $(date +%s)"', "echo `date`"],
  ...["echo $(git merge-base main HEAD)..HEAD -- src", "kill $(lsof -ti :3000)", 'x=$(git rev-parse HEAD); echo "$x"'],
  ...['branch=$(git branch --show-current) && echo "on ${branch}"', 'echo ${x:-none} "${x:-none}" ${x%.ts} ${x##*/}'],
  ...["echo ${x//a/b} ${#x} ${x^^} ${a[0]} ${a[@]} ${x:0:3}", "echo $? $# $@ $1 $$ $!", "echo \"cost: 5$\" 'a $b'"],
  ...[
    "echo $'a\\tb\\n'",
    'echo a\\ b \\$x \\"',
    'echo "say \\"hi\\" \\$5"',
    "echo 'it'\\''s'",
    "a=(1 2 3); echo ${a[1]}"
  ],
  ...[
    "echo $((1 + 2))",
    "echo {a,b}.ts {1..3}",
    "mkdir -p src/{a,b}/test",
    "ls *.ts src/**/*.ts [ab]?.js",
    "echo a#b # c"
  ],
  // Control flow.
  ...[
    'for f in *.ts; do echo "$f"; done',
    "for i in 1 2 3; do echo $i; done",
    "for f in $(git ls-files); do wc -l $f; done"
  ],
  ...[
    'for f in a b\ndo\n  echo $f\n  wc -l "$f"\ndone',
    'while read -r line; do echo "$line"; done < in',
    "while true; do ls; done"
  ],
  ...[
    "if [ -f a ]; then echo yes; else echo no; fi",
    "if [[ -d x && ! -L x ]]; then ls x; elif test -e y; then ls y; fi"
  ],
  ...[
    "if grep -q x y; then\n  echo a\nfi",
    '[ "$x" = y ] && echo z',
    "[[ $x == *.ts || $y != b ]] && ls",
    "[[ $x =~ ^[0-9]+$ ]]"
  ],
  ...[
    "case $x in a|b) echo 1;; *) echo 2;; esac",
    'case "$1" in\n  start)\n    ls\n    ;;\n  *)\n    pwd\n    ;;\nesac'
  ],
  ...[
    "until curl -s localhost; do sleep 1; done",
    "set -euo pipefail; ls",
    "set -e\nls\npwd\n",
    "test -f a || touch a"
  ],
  // Several lines, comments, here-documents.
  ...["ls \\\n  -la \\\n  src", "# look\nls\n\n# and\npwd\n", "ls # all", "a &&\n  b ||\n  c", "a |\n  b", "ls;\npwd;"],
  ...[
    "cat <<'EOF' > a.ts\nconst a = `${b}` // it's $(x)\nEOF",
    "cat > a.md << 'EOF'\n# Title\n\nIt's `code`.\nEOF\nls"
  ],
  ...[
    'cat <<EOF\nhello $x and $(date)\nit\'s "here"\nEOF',
    "cat <<-EOF\n\ta\n\tEOF",
    "cat <<'A' <<'B'\na\nA\nb\nB\nls"
  ],
  ...[
    "gh pr create --body \"$(cat <<'EOF'\nFix it\n\nIt's (still) broken: `x` and $y.\nEOF\n)\"",
    "python3 - <<'EOF'\nprint('a')\nEOF"
  ],
  ...[
    "node -e 'console.log(1 + 1)'",
    'node -e "console.log(process.env.HOME)"',
    "python3 -c 'import os; print(os.getcwd())'"
  ],
  // Commands that run commands.
  ...[
    "env foo=1 npm test",
    "timeout 60 npm test",
    "bash -c 'ls && pwd'",
    "bash -lc 'npm test'",
    'sh -c "ls | wc -l"',
    "nohup ls &"
  ],
  ...[
    "bash -euo pipefail -c 'ls'",
    "command -v node",
    "xargs -0 -n 1 ls",
    "find . -name a -exec grep -l x {} \\;",
    "nice -n 10 make"
  ],
  ...[
    "export NODE_ENV=test && npm test",
    "bash <<'EOF'\nls\npwd\nEOF",
    "exec ls",
    "type node",
    "which -a node",
    "date; exit 0"
  ]
]
