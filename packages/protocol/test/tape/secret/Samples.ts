/**
 * Secrets of every kind, made up, and the places where they turn up. Each kind is written down here on its own, not
 * taken from the rules that are to find it.
 */

/** A made-up secret. */
export interface Sample {
  readonly name: string
  /** What must not be left. */
  readonly secret: string
  /** What everybody knows of it: how it begins, or its label. */
  readonly isPublic?: RegExp
  /** The texts in which it is. */
  readonly texts: ReadonlyArray<readonly [context: string, text: string]>
}

const random = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const digits = "0123456789"
const lower = "abcdefghijklmnopqrstuvwxyz"
const upper = lower.toUpperCase()

/** Texts of random characters, the same for the same seed. */
export const makeRandom = (seed: number) => {
  const roll = random(seed)
  const from = (alphabet: string) => (length: number) =>
    Array.from({ length }, () => alphabet[Math.floor(roll() * alphabet.length)]).join("")
  const hex = from(`${digits}abcdef`)
  return {
    from,
    hex,
    digit: from(digits),
    small: from(digits + lower),
    big: from(digits + upper),
    /** With every sort of character, as long ones have. */
    word: (length: number) => `q7R${from(digits + lower + upper)(length - 3)}`,
    name: (length: number) => `d4K${from(`${digits}${lower}${upper}_-`)(length - 4)}x`,
    base64: (length: number) => `w9J${from(`${digits}${lower}${upper}+/`)(length - 4)}Z`,
    uuid: () => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`
  }
}

const json = JSON.stringify

/** Where a token turns up that is known by its form: nothing around it says what it is. */
const anywhere = (secret: string): Sample["texts"] => [
  ["env file", `# settings\nMODE=fast\nSETTING=${secret}\nPORT=80\n`],
  ["export", `export SETTING="${secret}"`],
  ["json", json({ setting: secret, other: 1 })],
  ["json in json", json({ text: json({ setting: secret }) })],
  ["json in json in json", json({ text: json({ inner: json({ setting: secret }) }) })],
  ["yaml", `service:\n  setting: ${secret}\n  port: 80\n`],
  ["toml", `[service]\nsetting = '${secret}'\n`],
  ["header", `GET / HTTP/1.1\r\nX-Setting: ${secret}\r\nAccept: */*\r\n`],
  ["argv", `run --setting ${secret} --fast`],
  ["argv in a list", json(["run", "--setting", secret, "--fast"])],
  ["url", `see https://example.org/x?a=1&setting=${secret}&b=2`],
  ["prose", `Use ${secret}, then try again. (Or ${secret}.)`],
  ["code", `const setting = "${secret}"; // keep`],
  ["markdown", `Set it to \`${secret}\` first.`],
  ["diff", `-  setting: "none"\n+  setting: "${secret}"\n`],
  ["log line", `2026-01-01T00:00:00.000Z INFO got ${secret} from 127.0.0.1`],
  ["colour", `\u001b[32m${secret}\u001b[0m`],
  ["xml", `<setting>${secret}</setting>`]
]

/** Where a value turns up that only its name gives away. */
const under = (name: string, secret: string): Sample["texts"] => {
  const variable = name.toUpperCase().replace(/-/g, "_")
  const key = name.toLowerCase().replace(/-/g, "_")
  return [
    ["env file", `MODE=fast\n${variable}=${secret}\nPORT=80\n`],
    ["export", `export ${variable}="${secret}"`],
    ["export in quotes", `export ${variable}='${secret}'`],
    ["json", json({ [key]: secret, other: 1 })],
    ["json in json", json({ text: json({ [key]: secret }) })],
    ["json in json in json", json({ text: json({ inner: json({ [key]: secret }, null, 2) }) })],
    ["yaml", `service:\n  ${key}: ${secret}\n  port: 80\n`],
    ["yaml in quotes", `service:\n  ${key}: '${secret}'\n`],
    ["toml", `[service]\n${key} = "${secret}"\n`],
    ["argv", `run --${name.toLowerCase()} ${secret} --fast`],
    ["argv with =", `run --${name.toLowerCase()}=${secret} --fast`],
    ["argv in a list", json(["run", `--${name.toLowerCase()}`, secret, "--fast"])],
    ["argv in a text", `spawn(["run", "--${name.toLowerCase()}", "${secret}"])`],
    ["url", `see https://example.org/x?a=1&${key}=${secret}&b=2`],
    ["code", `const ${key} = "${secret}"; // keep`],
    ["php", `'${key}' => '${secret}',`],
    ["diff", `-  ${key}: "none"\n+  ${key}: "${secret}"\n`],
    ["log line", `2026-01-01T00:00:00.000Z INFO ${key}=${secret} from 127.0.0.1`],
    ["kubernetes", `env:\n  - name: ${variable}\n    value: ${secret}\n`],
    ["name and value", json({ env: [{ name: variable, value: secret }] })]
  ]
}

const passwords = (secret: string): Sample["texts"] => [
  ...under("db-password", secret),
  ...under("password", secret),
  ["prose", `The password is ${secret}.`],
  ["address", `connect to postgres://ada:${secret}@db.example.org:5432/app now`],
  ["address without user", `REDIS=redis://:${secret}@cache.example.org:6379/0`],
  ["curl", `curl -s -u ada:${secret} https://example.org/x`],
  ["curl in quotes", `curl --user "ada:${secret}" https://example.org/x`],
  ["netrc", `machine example.org login ada password ${secret}\n`],
  ["netrc over lines", `machine example.org\n  login ada\n  password ${secret}\n`],
  ["sshpass", `sshpass -p ${secret} ssh ada@host`],
  ["mysql", `mysql -u ada -p${secret} app`],
  ["xml", `<password>${secret}</password>`],
  ["connection string", `Server=db;User Id=ada;Password=${secret};Database=app`],
  ["basic", `Authorization: Basic ${btoa(`ada:${secret}`)}`],
  ["python", `connect(user="ada", password="${secret}")`],
  ["sql", `ALTER USER ada WITH PASSWORD '${secret}';`],
  ["npmrc", `//registry.example.org/:_password=${secret}`]
]

/** All samples for a seed. */
export const samples = (seed: number): ReadonlyArray<Sample> => {
  const { base64, big, digit, hex, name, small, uuid, word } = makeRandom(seed)
  const tokens: ReadonlyArray<readonly [name: string, prefix: string, rest: string]> = [
    ["anthropic", "sk-ant-api03-", `${name(93)}AA`],
    ["anthropic admin", "sk-ant-admin01-", `${name(93)}AA`],
    ["anthropic oauth", "sk-ant-oat01-", `${name(93)}AA`],
    ["openai", "sk-", `${word(20)}T3BlbkFJ${word(20)}`],
    ["openai project", "sk-proj-", `${name(74)}T3BlbkFJ${name(74)}`],
    ["openai service", "sk-svcacct-", `${name(58)}T3BlbkFJ${name(58)}`],
    ["openrouter", "sk-or-v1-", hex(64)],
    ["deepseek", "sk-", hex(32)],
    ["stripe live", "sk_live_", word(24)],
    ["stripe test", "sk_test_", word(99)],
    ["stripe restricted", "rk_live_", word(24)],
    ["stripe webhook", "whsec_", word(32)],
    ["google", "AIza", `Sy${name(33)}`],
    ["google oauth secret", "GOCSPX-", name(28)],
    ["google oauth token", "ya29.", `a0${name(140)}`],
    ["google refresh token", "1//0", `3${name(60)}`],
    ["groq", "gsk_", word(52)],
    ["replicate", "r8_", word(37)],
    ["perplexity", "pplx-", word(48)],
    ["xai", "xai-", word(80)],
    ["hugging face", "hf_", word(34)],
    ["nvidia", "nvapi-", name(64)],
    ["elevenlabs", "sk_", hex(48)],
    ["pinecone", "pcsk_", word(60)],
    ["langsmith", "lsv2_pt_", `${hex(32)}_${hex(10)}`],
    ["aws id", "AKIA", big(16)],
    ["aws session id", "ASIA", big(16)],
    ["github", "ghp_", word(36)],
    ["github oauth", "gho_", word(36)],
    ["github app", "ghs_", word(36)],
    ["github fine", "github_pat_", `${word(22)}_${word(59)}`],
    ["gitlab", "glpat-", name(20)],
    ["gitlab routable", "glpat-", `${name(27)}.01.${small(9)}`],
    ["gitlab runner", "glrt-", name(20)],
    ["gitlab deploy", "gldt-", name(20)],
    ["gitlab job", "glcbt-", `${hex(2)}_${name(20)}`],
    ["gitlab trigger", "glptt-", hex(40)],
    ["gitlab registration", "GR1348941", name(20)],
    ["slack bot", "xoxb-", `${digit(12)}-${digit(12)}-${word(24)}`],
    ["slack user", "xoxp-", `${digit(12)}-${digit(12)}-${digit(12)}-${hex(32)}`],
    ["slack app", "xapp-", `1-A${big(10)}-${digit(13)}-${hex(64)}`],
    ["slack hook", "https://hooks.slack.com/services/", `T${big(10)}/B${big(10)}/${word(24)}`],
    ["discord bot", "", `${btoa(`1${digit(17)}`).slice(0, 24)}.${name(6)}.${name(38)}`],
    ["discord hook", "https://discord.com/api/webhooks/", `${digit(18)}/${name(68)}`],
    ["telegram", "", `${digit(9).replace(/^0/, "1")}:AA${name(33)}`],
    ["npm", "npm_", word(36)],
    ["pypi", "pypi-AgEIcHlwaS5vcmc", name(120)],
    ["rubygems", "rubygems_", hex(48)],
    ["docker hub", "dckr_pat_", name(27)],
    ["crates", "cio", word(32)],
    ["sendgrid", "SG.", `${name(22)}.${name(43)}`],
    ["mailgun", "key-", hex(32)],
    ["mailchimp", "", `${hex(32)}-us12`],
    ["twilio", "SK", hex(32)],
    ["brevo", "xkeysib-", `${hex(64)}-${word(16)}`],
    ["resend", "re_", `${word(8)}_${word(24)}`],
    ["digitalocean", "dop_v1_", hex(64)],
    ["shopify", "shpat_", hex(32)],
    ["shopify secret", "shpss_", hex(32)],
    ["square", "sq0atp-", name(22)],
    ["square secret", "sq0csp-", name(43)],
    ["square access", "EAAA", name(60)],
    ["facebook", "EAACEdEose0cBA", word(120)],
    ["linear", "lin_api_", word(40)],
    ["notion", "ntn_", `${digit(11)}${word(35)}`],
    ["notion old", "secret_", word(43)],
    ["airtable", "pat", `${word(14)}.${hex(64)}`],
    ["atlassian", "ATATT3", name(186)],
    ["bitbucket", "ATBB", word(32)],
    ["databricks", "dapi", hex(32)],
    ["doppler", "dp.pt.", word(43)],
    ["fly", "fm2_", base64(120)],
    ["fly old", "fo1_", name(43)],
    ["grafana", "glsa_", `${word(32)}_${hex(8)}`],
    ["grafana cloud", "glc_", word(60)],
    ["vault", "hvs.", name(95)],
    ["vault batch", "hvb.", name(140)],
    ["terraform", "", `${word(14)}.atlasv1.${name(67)}`],
    ["heroku", "HRKU-AA", name(58)],
    ["new relic", "NRAK-", big(27)],
    ["dropbox", "sl.", name(136)],
    ["postman", "PMAK-", `${hex(24)}-${hex(34)}`],
    ["planetscale", "pscale_tkn_", name(43)],
    ["planetscale password", "pscale_pw_", name(43)],
    ["pulumi", "pul-", hex(40)],
    ["sentry org", "sntrys_", `${word(100)}_${word(43)}`],
    ["sentry user", "sntryu_", hex(64)],
    ["supabase", "sbp_", hex(40)],
    ["supabase secret", "sb_secret_", name(31)],
    ["tailscale", "tskey-auth-", `${word(12)}-${word(32)}`],
    ["age", "AGE-SECRET-KEY-1", big(58)],
    ["azure client", "", `${word(3)}8Q~${name(34)}`],
    ["alibaba", "LTAI", word(20)],
    ["netlify", "nfp_", word(36)],
    ["figma", "figd_", name(40)],
    ["circleci", "CCIPAT_", `${word(22)}_${hex(40)}`],
    ["buildkite", "bkua_", hex(40)],
    ["sonarqube", "squ_", hex(40)],
    ["dynatrace", "dt0c01.", `${big(24)}.${big(64)}`],
    ["easypost", "EZAK", word(54)],
    ["shippo", "shippo_live_", hex(40)],
    ["razorpay", "rzp_live_", word(14)],
    ["plaid", "access-sandbox-", uuid()],
    ["hubspot", "pat-na1-", uuid()],
    ["launchdarkly", "sdk-", uuid()],
    ["contentful", "CFPAT-", name(43)],
    ["sourcegraph", "sgp_", `${hex(16)}_${hex(40)}`],
    ["openshift", "sha256~", name(43)],
    ["1password", "ops_eyJ", base64(300)],
    ["artifactory", "AKCp", word(69)],
    ["prefect", "pnu_", word(36)],
    ["readme", "rdme_", small(70)],
    ["infracost", "ico-", word(32)],
    ["posthog", "phx_", word(43)],
    ["duffel", "duffel_live_", name(43)],
    ["flutterwave", "FLWSECK_TEST-", `${hex(32)}-X`],
    ["typeform", "tfp_", name(59)],
    ["cloudflare origin", "v1.0-", `${hex(24)}-${hex(146)}`],
    ["clojars", "CLOJARS_", small(60)],
    ["octopus", "API-", `7${big(25)}`],
    ["maxmind", "", `${word(6)}_${word(29)}_mmk`],
    ["jwt", "eyJhbGciOiJIUzI1NiJ9.eyJ", `${word(60)}.${name(43)}`]
  ]
  const named: ReadonlyArray<readonly [name: string, secret: string]> = [
    ["aws-secret-access-key", base64(40)],
    ["aws-session-token", base64(300)],
    ["azure-storage-account-key", `${base64(86)}==`],
    ["mistral-api-key", word(32)],
    ["cohere-api-key", word(40)],
    ["dd-api-key", hex(32)],
    ["datadog-app-key", hex(40)],
    ["cloudflare-api-token", name(40)],
    ["cloudflare-api-key", hex(37)],
    ["confluent-api-secret", base64(64)],
    ["heroku-api-key", uuid()],
    ["linkedin-client-secret", word(16)],
    ["twilio-auth-token", hex(32)],
    ["discord-client-secret", name(32)],
    ["okta-api-token", `00${name(40)}`],
    ["algolia-admin-api-key", hex(32)],
    ["snyk-token", uuid()],
    ["vault-token", `s.${word(24)}`],
    ["secret-key-base", hex(128)],
    ["jwt-secret", word(24)],
    ["encryption-key", base64(43)],
    ["client-secret", name(40)],
    ["access-token", word(40)],
    ["refresh-token", name(60)],
    ["wandb-api-key", hex(40)],
    ["npm-auth-token", uuid()],
    ["webhook-secret", word(20)],
    ["auth-token", word(16)],
    ["api-key", word(12)],
    ["private-key", `0x${hex(64)}`]
  ]
  const awsSecret = base64(40)
  const lines = (count: number) => Array.from({ length: count }, () => base64(64)).join("\n")
  const body = lines(8)
  const block = (label: string) => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`
  const password = `Tr0ub4dor&${digit(2)}!`
  const plain = "hunter2"
  const cookie = name(48)
  const auth = btoa(`ada:${word(16)}`)
  const key = `${base64(43)}=`
  const serviceKey = hex(40)
  const account = `${hex(8)}-${hex(4)}-4${hex(3)}-9${hex(3)}-${hex(12)}`
  const keys: ReadonlyArray<Sample> = [
    ...tokens.map(
      ([each, prefix, rest]): Sample => ({
        name: each,
        secret: rest,
        ...(prefix !== "" && { isPublic: new RegExp(prefix.slice(0, 6).replace(/[^\w]/g, "\\$&")) }),
        texts: anywhere(prefix + rest)
      })
    ),
    ...named.map(([each, secret]): Sample => ({ name: each, secret, texts: under(each, secret) })),
    { name: "password", secret: password.replace(/[&!]/g, "x"), texts: passwords(password.replace(/[&!]/g, "x")) },
    { name: "short password", secret: plain, texts: passwords(plain) },
    {
      name: "odd password",
      secret: password,
      texts: under("db-password", password).filter(([context]) => !/url|argv|log/.test(context))
    },
    {
      name: "aws secret beside its id",
      secret: awsSecret,
      texts: [
        ["prose", `keys: AKIA${big(16)} ${awsSecret} in us-east-1`],
        ["csv", `User,Access key ID,Secret access key\nada,AKIA${big(16)},${awsSecret}\n`],
        ["lines", `AKIA${big(16)}\n${awsSecret}\n`]
      ]
    },
    ...["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"].map(
      (label): Sample => ({
        name: label.toLowerCase(),
        secret: body.replace(/\n/g, ""),
        isPublic: /PRIVAT|BEGIN|--/,
        texts: [
          ["file", `${block(label)}\n`],
          ["json", json({ type: "service_account", private_key: `${block(label)}\n` })],
          ["json in json", json({ text: json({ private_key: block(label) }) })],
          ["env file", `KEY="${block(label).replace(/\n/g, "\\n")}"\n`],
          ["yaml", `key: |\n  ${block(label).replace(/\n/g, "\n  ")}\n`],
          ["diff", `+${block(label).replace(/\n/g, "\n+")}\n`]
        ]
      })
    ),
    {
      name: "pgp",
      secret: body.replace(/\n/g, ""),
      texts: [
        [
          "file",
          `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2 (GNU/Linux)\n\n${body}\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----\n`
        ]
      ]
    },
    {
      name: "putty",
      secret: body.replace(/\n/g, ""),
      texts: [
        [
          "file",
          `PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAAB3NzaC1yc2E\nPrivate-Lines: 8\n${body}\nPrivate-MAC: ${hex(40)}\n`
        ]
      ]
    },
    {
      name: "cookie",
      secret: cookie,
      texts: [
        ["header", `GET / HTTP/1.1\r\nCookie: theme=dark; sid=${cookie}; lang=en\r\n`],
        ["set", `HTTP/1.1 200 OK\r\nSet-Cookie: sid=${cookie}; Path=/; HttpOnly; Max-Age=3600\r\n`],
        ["curl", `curl -H 'Cookie: sid=${cookie}' https://example.org`],
        ["json", json({ headers: { cookie: `sid=${cookie}; a=b` } })],
        ["json in json", json({ text: json({ headers: { Cookie: `sid=${cookie}` } }) })]
      ]
    },
    {
      name: "credentials",
      secret: cookie,
      texts: [
        ["bearer", `Authorization: Bearer ${cookie}\r\n`],
        ["token", `Authorization: token ${cookie}`],
        ["curl", `curl -H "Authorization: Bearer ${cookie}" https://example.org`],
        ["argv in a list", json(["curl", "-H", `Authorization: Bearer ${cookie}`])],
        ["x-api-key", `curl -H 'x-api-key: ${cookie}' https://example.org`],
        ["private token", `curl --header "PRIVATE-TOKEN: ${cookie}" https://example.org`],
        ["json", json({ headers: { Authorization: `Bearer ${cookie}`, "X-Api-Key": cookie } })],
        ["json in json", json({ text: json({ headers: { authorization: `Bearer ${cookie}` } }) })],
        ["raw headers", json({ rawHeaders: ["Host", "example.org", "Authorization", `Bearer ${cookie}`] })],
        ["prose", `It sent Bearer ${cookie} and got 401.`]
      ]
    },
    {
      name: "account",
      secret: account,
      texts: [
        ["json", json({ result: { accountId: account, other: 1 } })],
        ["json in json", json({ text: json({ tokens: { account_id: account } }) })],
        ["variable", `CHATGPT_ACCOUNT_ID=${account}\n`],
        ["header", `chatgpt-account-id: ${account}\r\n`],
        ["yaml", `openai:\n  organization_id: ${account}\n`]
      ]
    },
    {
      name: "docker",
      secret: auth,
      texts: [
        ["config", json({ auths: { "https://index.docker.io/v1/": { auth } } }, null, 2)],
        ["config in a text", `cat config.json\n{"auths":{"https://index.docker.io/v1/":{"auth":"${auth}"}}}`],
        ["npmrc", `//registry.example.org/:_auth=${auth}\n`]
      ]
    },
    {
      name: "azure",
      secret: key,
      texts: [
        ["storage", `DefaultEndpointsProtocol=https;AccountName=app;AccountKey=${key};EndpointSuffix=core.windows.net`],
        ["service bus", `Endpoint=sb://app.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${key}`],
        ["storage in json", json({ connection: `AccountName=app;AccountKey=${key}` })],
        ["signature", `https://app.blob.core.windows.net/c/b?sv=2020-08-04&sr=b&sig=${encodeURIComponent(key)}&se=2030`]
      ]
    },
    {
      name: "service by its name",
      secret: serviceKey,
      texts: [
        ["yaml", `datadog: ${serviceKey}\n`],
        ["env file", `CODECOV=${serviceKey}\n`],
        ["log line", `INFO using fastly = "${serviceKey}"`]
      ]
    }
  ]
  return keys
}
