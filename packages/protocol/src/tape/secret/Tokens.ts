/**
 * Secrets that are known by their own form: what the services that issue them say they begin with. The forms are
 * those that the public lists of scanners agree on; lengths are lower bounds, so that a token that grew is found.
 *
 * A row is the beginning of a token and a pattern for its rest. In patterns only the last run has no bound: whatever
 * is read without a bound is part of a secret, and nothing is read twice.
 */
import { type Form, ofKind } from "./Form.ts"
import type { Rule } from "./Rule.ts"

const uuid = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
const hex = (from: number): string => `[0-9a-fA-F]{${from},}`
const word = (from: number): string => `[A-Za-z0-9]{${from},}`
const name = (from: number): string => `[\\w-]{${from},}`
/** Base64 of either sort, also as addresses write it. */
const base64 = (from: number, to?: number): string => `(?:[\\w+/=-]|%(?:2[BbFf]|3[Dd])){${from},${to ?? ""}}`
/** `/` and `:`, and as addresses write them. */
const slash = "(?:/|%2[Ff])"
const each = (texts: Iterable<string>, make: (text: string) => string): ReadonlyArray<string> => Array.from(texts, make)

/** Ids of Discord are numbers, and its bots' tokens begin with one in base64. */
const numbersInBase64 = Array.from({ length: 90 }, (_, index) => btoa(`${index + 10}0`).slice(0, 3))

const apiKeys: ReadonlyArray<Form> = [
  { rule: "an Anthropic key", words: ["sk-ant-"], rest: name(8) },
  { rule: "an OpenAI key", words: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], rest: name(16) },
  { rule: "an OpenAI session key", words: ["sess-"], rest: "(?=[a-zA-Z]{0,30}\\d)[A-Za-z0-9]{36,}" },
  {
    rule: "an sk- key",
    words: ["sk-"],
    digitWithin: 80,
    rest: "(?:[A-Za-z0-9]{1,12}-){0,3}(?=[A-Za-z_]{0,40}\\d)\\w{16,}[\\w-]*"
  },
  { rule: "an sk_ key", words: ["sk_"], rest: "(?:live|test|prod)_\\w{10,}|(?=[a-z]{0,20}\\d)[a-z0-9]{40,}" },
  { rule: "a restricted Stripe key", words: ["rk_live_", "rk_test_", "rk_prod_"], rest: "\\w{10,}" },
  { rule: "a Stripe webhook secret", words: ["whsec_"], rest: base64(16) },
  { rule: "a Google API key", words: ["AIza"], rest: "[\\w-]{35}" },
  { rule: "a Groq key", words: ["gsk_"], rest: word(20) },
  { rule: "a Replicate token", words: ["r8_"], rest: word(20) },
  { rule: "a Perplexity key", words: ["pplx-"], rest: word(20) },
  { rule: "an xAI key", words: ["xai-"], rest: word(20) },
  { rule: "a Hugging Face token", words: ["hf_", "api_org_"], rest: word(20) },
  { rule: "an NVIDIA key", words: ["nvapi-"], rest: name(30) },
  { rule: "a Fireworks key", words: ["fw_"], rest: "(?=[a-zA-Z]{0,20}\\d)[A-Za-z0-9]{22,}" },
  { rule: "a Together key", words: ["tgp_v1_"], rest: name(20) },
  { rule: "a Cerebras key", words: ["csk-"], rest: word(30) },
  { rule: "a Pinecone key", words: ["pcsk_"], rest: "\\w{30,}" },
  { rule: "a LangSmith key", words: ["lsv2_pt_", "lsv2_sk_"], rest: "\\w{20,}" },
  { rule: "a Jina key", words: ["jina_"], rest: name(30) },
  { rule: "a Langfuse key", words: ["sk-lf-"], rest: uuid },
  { rule: "a Cursor key", words: ["key_", "crsr_"], rest: hex(64) },
  { rule: "an Anyscale key", words: ["aph0_", "esecret_"], rest: word(20) },
  { rule: "a Voyage key", words: ["pa-"], rest: "(?=[a-zA-Z_]{0,30}\\d)[\\w-]{40,}" },
  { rule: "a Tavily key", words: ["tvly-"], rest: name(20) },
  { rule: "an E2B key", words: ["e2b_"], rest: hex(30) },
  { rule: "a Firecrawl key", words: ["fc-"], rest: hex(32) }
]

const awsKeys: ReadonlyArray<Form> = [
  {
    rule: "an AWS access key id",
    words: ["AKIA", "ASIA", "ABIA", "ACCA", "AROA", "AIDA"],
    rest: "[A-Z0-9]{16}(?![A-Za-z0-9])"
  },
  { rule: "an AWS Bedrock key", words: ["ABSK", "bedrock-api-key-"], rest: base64(40) }
]

const githubTokens: ReadonlyArray<Form> = [
  { rule: "a GitHub token", words: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], rest: word(20) },
  { rule: "a fine-grained GitHub token", words: ["github_pat_"], rest: "\\w{20,}" }
]

const slackTokens: ReadonlyArray<Form> = [
  { rule: "a Slack token", words: each("abcdeoprs", (letter) => `xox${letter}-`), rest: base64(10) },
  { rule: "a Slack configuration token", words: ["xoxe.xox"], rest: `[a-z]-${base64(10)}` },
  { rule: "a Slack app token", words: ["xapp-"], rest: "\\d-[A-Za-z0-9-]{10,}" }
]

const jwts: ReadonlyArray<Form> = [
  {
    rule: "a JSON web token",
    words: ["eyJ", "eyA"],
    rest: "[\\w-]{8,8000}\\.(?:ey[JA][\\w-]{8,}(?:\\.[\\w-]*)?|[\\w-]{0,2000}\\.[\\w-]{8,2000}\\.[\\w-]{8,}\\.[\\w-]*)",
    isApart: true
  },
  { rule: "a JSON web token in base64", words: ["ZXlK", "ZXlB"], rest: "[A-Za-z0-9+/_-]{40,}={0,2}", isApart: true }
]

const tokens: ReadonlyArray<Form> = [
  {
    rule: "a GitLab token",
    words: each(
      ["pat", "dt", "ptt", "rt", "rtr", "cbt", "ft", "imt", "agent", "soat", "ffct", "oas", "wt"],
      (each) => `gl${each}-`
    ),
    rest: "[\\w-]{16,}(?:\\.[\\w-]{2,}){0,3}"
  },
  { rule: "a GitLab runner token", words: ["GR1348941"], rest: name(16) },
  { rule: "an npm token", words: ["npm_"], rest: word(30) },
  { rule: "a PyPI token", words: ["pypi-Ag"], rest: name(30) },
  { rule: "a RubyGems key", words: ["rubygems_"], rest: hex(32) },
  { rule: "a crates.io token", words: ["cio"], rest: "(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])" },
  { rule: "a NuGet key", words: ["oy2"], rest: "[a-z0-9]{43}(?![A-Za-z0-9])" },
  { rule: "a Clojars token", words: ["CLOJARS_"], rest: word(30) },
  { rule: "a Docker token", words: ["dckr_pat_", "dckr_oat_"], rest: name(16) },
  { rule: "a Docker Swarm token", words: ["SWMTKN-1-"], rest: name(20) },
  { rule: "an Artifactory key", words: ["AKCp"], rest: word(50) },
  { rule: "an Artifactory token", words: ["cmVmd"], rest: "[A-Za-z0-9]{59}(?![A-Za-z0-9])" },
  { rule: "a Google OAuth secret", words: ["GOCSPX-"], rest: name(16) },
  { rule: "a Google OAuth token", words: ["ya29."], rest: "[\\w.-]{16,}" },
  { rule: "a Google refresh token", words: ["1//0", "1%2F%2F0"], rest: name(30) },
  { rule: "a Firebase key", words: ["AAAA"], rest: "[\\w-]{7}(?::|%3[Aa])[\\w-]{100,}" },
  { rule: "a DigitalOcean token", words: ["dop_v1_", "doo_v1_", "dor_v1_"], rest: hex(32) },
  { rule: "a Heroku key", words: ["HRKU-"], rest: name(20) },
  { rule: "a Fly token", words: ["fo1_", "fm1a_", "fm1r_", "fm2_"], rest: base64(20) },
  { rule: "a Render key", words: ["rnd_"], rest: word(20) },
  { rule: "a Netlify token", words: ["nfp_", "nfc_", "nfo_"], rest: word(20) },
  { rule: "a Vercel token", words: ["vcp_", "vci_", "vca_", "vck_"], rest: word(20) },
  { rule: "a Cloudflare origin key", words: ["v1.0-"], rest: "[0-9a-f]{24}-[0-9a-f]{100,}" },
  { rule: "a Cloudflare token", words: ["cfut_", "cfat_", "cfk_"], rest: name(20) },
  { rule: "a Supabase token", words: ["sbp_", "sb_secret_"], rest: name(20) },
  { rule: "a Neon key", words: ["napi_"], rest: word(30) },
  { rule: "a PlanetScale token", words: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], rest: "[\\w=.-]{16,}" },
  { rule: "a Databricks token", words: ["dapi"], rest: "[0-9a-f]{32}(?:-\\d)?" },
  { rule: "an Alibaba key", words: ["LTAI"], rest: "[A-Za-z0-9]{12,}" },
  { rule: "a Tencent key", words: ["AKID"], rest: "[A-Za-z0-9]{32}(?![A-Za-z0-9])" },
  { rule: "a Yandex key", words: ["AQVN"], rest: name(30) },
  {
    rule: "an Azure client secret",
    words: each("0123456789", (digit) => `${digit}Q~`),
    rest: "[\\w~.-]{31,}",
    before: ["[\\w~.]{3}", 3]
  },
  { rule: "a Terraform token", words: [".atlasv1."], rest: "[\\w=-]{40,}", before: ["[A-Za-z0-9]{14}", 14] },
  { rule: "a Vault token", words: ["hvs.", "hvb.", "hvr."], rest: name(20) },
  { rule: "a Pulumi token", words: ["pul-"], rest: hex(32) },
  {
    rule: "a Doppler token",
    words: each(["pt", "st", "ct", "sa", "scim", "audit"], (each) => `dp.${each}.`),
    rest: "[\\w.-]{20,}"
  },
  { rule: "an Infracost key", words: ["ico-"], rest: word(32) },
  { rule: "a 1Password token", words: ["ops_eyJ"], rest: base64(40) },
  {
    rule: "a 1Password key",
    words: ["A3-"],
    rest: "[A-Z0-9]{6}-[A-Z0-9]{5,6}-?[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?:-[A-Z0-9]{5})?"
  },
  { rule: "an age key", words: ["AGE-SECRET-KEY-1", "AGE-SECRET-KEY-PQ-1", "age-secret-key-1"], rest: word(20) },
  {
    rule: "a Dynatrace token",
    words: ["dt0c01.", "dt0s01.", "dt0s02.", "dt0s16."],
    rest: "[A-Za-z0-9]{8,64}(?:\\.[A-Za-z0-9]{16,})?"
  },
  { rule: "a Tailscale key", words: ["tskey-"], rest: name(12) },
  { rule: "an OpenShift token", words: ["sha256~"], rest: name(40) },
  { rule: "a Bitbucket token", words: ["ATBB", "ATCTT3"], rest: "[\\w=-]{24,}" },
  { rule: "an Atlassian token", words: ["ATATT3", "ATSTT3"], rest: "[\\w=-]{20,}" },
  { rule: "a CircleCI token", words: ["CCIPAT_", "CCIPRJ_"], rest: "\\w{20,}" },
  { rule: "a Buildkite token", words: ["bkua_", "bkat_", "bkct_"], rest: word(20) },
  { rule: "a SonarQube token", words: ["squ_", "sqp_", "sqa_"], rest: hex(32) },
  { rule: "an Octopus key", words: ["API-"], rest: "(?=[A-Z]{0,20}\\d)[A-Z0-9]{25,}" },
  { rule: "a Harness token", words: ["pat.", "sat."], rest: "[\\w-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}" },
  { rule: "a Prefect key", words: ["pnu_", "pnb_"], rest: word(30) },
  { rule: "a Square token", words: ["sq0atp-", "sq0csp-", "sq0idp-"], rest: name(20) },
  { rule: "a Facebook or Square token", words: ["EAA"], rest: "(?=[A-Za-z_-]{0,40}\\d)[\\w-]{50,}", isApart: true },
  { rule: "an Instagram token", words: ["IGQ"], rest: "[\\w-]{60,}", isApart: true },
  { rule: "a PayPal token", words: ["A21AA"], rest: name(60) },
  { rule: "a Plaid token", words: ["access-sandbox-", "access-development-", "access-production-"], rest: uuid },
  { rule: "a Shopify token", words: each(["at", "ca", "pa", "ss", "ua"], (each) => `shp${each}_`), rest: hex(24) },
  { rule: "a Shippo token", words: ["shippo_live_", "shippo_test_"], rest: hex(32) },
  { rule: "an EasyPost key", words: ["EZAK", "EZTK"], rest: word(50) },
  { rule: "a Flutterwave key", words: ["FLWSECK-", "FLWSECK_TEST-"], rest: "[A-Za-z0-9]{12,}(?:-X)?" },
  { rule: "a Duffel token", words: ["duffel_live_", "duffel_test_"], rest: "[\\w=-]{20,}" },
  { rule: "a Razorpay key", words: ["rzp_live_", "rzp_test_"], rest: word(14) },
  { rule: "a Telegram token", words: [":AA", "%3AAA"], rest: name(32), before: ["\\d{8,10}", 10] },
  { rule: "a Discord token", words: numbersInBase64, rest: "[\\w-]{19,27}\\.[\\w-]{6}\\.[\\w-]{25,}", isApart: true },
  { rule: "a Discord app token", words: ["mfa."], rest: name(60) },
  {
    rule: "a Slack or Zapier hook",
    words: ["hooks.slack.com", "hooks.zapier.com"],
    rest: `(?:${slash}[\\w-]{1,80}){3,8}`
  },
  {
    rule: "a Discord hook",
    words: ["discord.com", "discordapp.com"],
    rest: `${slash}api${slash}(?:v\\d{1,2}${slash})?webhooks${slash}\\d{5,30}${slash}[\\w-]{20,}`
  },
  { rule: "a Teams hook", words: ["webhook.office.com"], rest: `${slash}webhookb2(?:[\\w@/-]|%(?:2[Ff]|40)){20,}` },
  { rule: "a SendGrid key", words: ["SG."], rest: "[\\w-]{16,64}\\.[\\w-]{16,}" },
  { rule: "a Mailgun key", words: ["key-"], rest: "[0-9a-f]{32}(?![0-9a-f])" },
  { rule: "a Mailchimp key", words: ["-us"], rest: "\\d{1,2}(?![A-Za-z0-9])", before: ["[0-9a-f]{32}", 32] },
  {
    rule: "a Twilio key",
    words: each("0123456789abcdef", (digit) => `SK${digit}`),
    rest: "[0-9a-f]{31}(?![A-Za-z0-9])"
  },
  { rule: "a Brevo key", words: ["xkeysib-", "xsmtpsib-"], rest: "[0-9a-f]{32,}-[A-Za-z0-9]{8,}" },
  { rule: "a Resend key", words: ["re_"], rest: "[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}" },
  { rule: "a Twitter bearer token", words: ["AAAAAAAAAAAAAAAAAAAA"], rest: "[\\w%]{60,}", isApart: true },
  { rule: "a HubSpot token", words: ["pat-na1-", "pat-na2-", "pat-eu1-"], rest: uuid },
  { rule: "a Linear key", words: ["lin_api_", "lin_oauth_", "lin_wh_"], rest: word(20) },
  { rule: "a LinkedIn secret", words: ["WPL_AP0.", "WPL_AP1."], rest: `[A-Za-z0-9]{10,40}\\.${base64(6)}` },
  { rule: "a Notion token", words: ["ntn_", "secret_"], rest: "(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{40,}" },
  { rule: "an Airtable token", words: ["pat"], rest: "[A-Za-z0-9]{14}\\.[0-9a-f]{64}", isApart: true },
  { rule: "a Figma token", words: ["figd_", "figo_"], rest: name(20) },
  { rule: "a Dropbox token", words: ["sl."], rest: "(?:u\\.)?(?=[A-Za-z_-]{0,40}\\d)[\\w-]{60,}" },
  { rule: "a Typeform token", words: ["tfp_"], rest: "[\\w.=-]{30,}" },
  { rule: "a Contentful token", words: ["CFPAT-"], rest: name(30) },
  { rule: "a ReadMe key", words: ["rdme_"], rest: word(40) },
  { rule: "a Frame.io token", words: ["fio-u-"], rest: "[\\w=-]{40,}" },
  { rule: "a Grafana token", words: ["glsa_", "glc_"], rest: base64(20) },
  { rule: "a Grafana key", words: ["eyJrIjoi"], rest: "[A-Za-z0-9+/]{30,}={0,3}", isApart: true },
  {
    rule: "a New Relic key",
    words: each(["AK", "JS", "II", "IQ", "AA", "RA"], (each) => `NR${each}-`),
    rest: "[\\w-]{16,}"
  },
  { rule: "a New Relic licence", words: ["NRAL"], rest: "(?![A-Za-z0-9])", before: ["[0-9a-fA-F]{36}", 36] },
  { rule: "a Sentry token", words: ["sntrys_", "sntryu_", "sntrya_"], rest: base64(20) },
  { rule: "a Honeycomb key", words: each("abcdefghijklmnopqrstuvwxyz", (letter) => `hc${letter}ik_`), rest: word(30) },
  { rule: "a PostHog key", words: ["phx_"], rest: word(30) },
  { rule: "a LaunchDarkly key", words: ["sdk-", "api-"], rest: `${uuid}` },
  { rule: "a Postman key", words: ["PMAK-"], rest: "[0-9A-Za-z]{16,}(?:-[0-9A-Za-z]{16,})?" },
  { rule: "a Sourcegraph token", words: ["sgp_"], rest: "(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{32,}" },
  { rule: "a Segment token", words: ["sgp_"], rest: "[A-Za-z0-9]{64}(?![A-Za-z0-9])" },
  { rule: "a Mapbox token", words: ["sk.eyJ"], rest: "[\\w-]{20,400}\\.[\\w-]{16,}" },
  { rule: "a Stytch secret", words: ["secret-live-", "secret-test-"], rest: "[\\w=-]{20,}" },
  { rule: "a WakaTime key", words: ["waka_"], rest: uuid },
  { rule: "an Adobe secret", words: ["p8e-"], rest: name(24) },
  { rule: "a Scalingo token", words: ["tk-us-"], rest: name(30) },
  { rule: "a SettleMint token", words: ["sm_aat_", "sm_pat_", "sm_sat_"], rest: word(16) },
  { rule: "a Defined Networking token", words: ["dnkey-"], rest: "[\\w=-]{40,}" },
  { rule: "a 42 secret", words: ["s-s4t2ud-", "s-s4t2af-"], rest: hex(40) },
  { rule: "a ClickHouse key", words: ["4b1d"], rest: "[A-Za-z0-9]{38}(?![A-Za-z0-9])" },
  { rule: "a MaxMind key", words: ["_mmk"], rest: "(?![A-Za-z0-9])", before: ["[A-Za-z0-9]{6}_[A-Za-z0-9]{29}", 36] },
  {
    rule: "an Authress key",
    words: ["sc_", "ext_", "scauth_", "authress_"],
    rest: `[A-Za-z0-9]{5,30}\\.[A-Za-z0-9]{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.${base64(30)}`
  },
  { rule: "an Aiven password", words: ["AVNS_"], rest: name(16) },
  { rule: "a Confluent secret", words: ["cflt"], rest: base64(56) },
  { rule: "a Deno token", words: ["ddp_", "ddo_", "ddw_"], rest: word(30) },
  { rule: "an Endor Labs key", words: ["endr+", "endr%2B"], rest: word(16) },
  { rule: "a Pinterest token", words: ["pina_"], rest: word(40) },
  { rule: "a Rootly key", words: ["rootly_"], rest: hex(40) },
  { rule: "a Snyk token", words: ["snyk_"], rest: "[a-z]{2,8}\\.[0-9a-f]{8}\\.[\\w.-]{20,}" },
  { rule: "a Yandex OAuth token", words: ["y0_"], rest: "(?=[A-Za-z_-]{0,30}\\d)[\\w-]{40,}" },
  { rule: "a MongoDB Atlas secret", words: ["mdb_sa_sk_"], rest: name(30) },
  { rule: "a Zuplo key", words: ["zpka_"], rest: "\\w{30,}" },
  { rule: "an Infisical token", words: ["st."], rest: "[0-9a-f]{24}\\.[0-9a-f]{32}\\.[0-9a-f]{32}" },
  {
    rule: "an old Vault token",
    words: each("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", (one) => `s.${one}`),
    rest: "(?=(?:[A-Za-z]{0,12}\\d){2})(?=[a-z0-9]{0,20}[A-Z])(?=[A-Z0-9]{0,20}[a-z])[A-Za-z0-9]{23}(?![\\w(-]|\\.\\w)"
  },
  { rule: "a Twitch token", words: ["oauth:", "oauth%3A"], rest: "(?=[a-z]{0,20}\\d)[a-z0-9]{30}(?![A-Za-z0-9])" },
  {
    rule: "a YouTrack token",
    words: ["perm-", "perm:"],
    rest: `${base64(4, 80)}\\.${base64(4, 80)}\\.[A-Za-z0-9]{20,}`
  },
  { rule: "a Salesforce session", words: ["!AQ", "%21AQ"], rest: "[\\w.]{60,}", before: ["00D[A-Za-z0-9]{12}", 15] },
  {
    rule: "a Braintree token",
    words: ["access_token$production$", "access_token$sandbox$", "access_token%24production%24"],
    rest: "[a-z0-9]{16}(?:\\$|%24)[0-9a-f]{32}"
  },
  {
    rule: "an Asana token",
    words: ["0/", "1/", "2/", "0%2F", "1%2F", "2%2F"].flatMap((each) =>
      Array.from("0123456789", (digit) => `${each}${digit}`)
    ),
    rest: "\\d{15}(?:(?:/|%2F)\\d{16})?(?::|%3A)[0-9a-f]{32}"
  },
  {
    rule: "an Azure key",
    words: ["JQQJ99"],
    rest: "[A-Za-z0-9]{26,}",
    before: ["[A-Za-z0-9]{52}", 52]
  },
  {
    rule: "an Azure account key",
    words: ["+ASt", "+ABa", "ACDb", "+ASb", "AzCa", "AzFu", "AzSe", "%2BASt", "%2BABa", "%2BASb"],
    rest: "(?:[A-Za-z0-9+/_-]|%2[BbFf]){6}(?:%3D|=){0,2}(?![A-Za-z0-9])",
    before: ["(?:[A-Za-z0-9+/_-]|%2[BbFf]){33,84}", 140]
  },
  {
    rule: "a Mailgun sending key",
    words: each("0123456789abcdef", (digit) => `-${digit}`).flatMap((dash) =>
      each("0123456789abcdef", (digit) => `${dash}${digit}`)
    ),
    rest: "[0-9a-f]{6}-[0-9a-f]{8}(?![\\w-])",
    before: ["(?<![\\w-])[0-9a-f]{32}", 40]
  },
  {
    rule: "a private key in base64",
    words: ["BSU0Eg", "BQUklW", "BFQyBQ", "BPUEVO", "BFTkNS", "BEU0Eg", "BQR1Ag"].map(
      (kind) => `LS0tLS1CRUdJTi${kind}`
    ),
    rest: base64(40)
  },
  {
    rule: "a hash of a password",
    words: [
      "$1$",
      "$5$",
      "$6$",
      "$7$",
      "$y$",
      "$gy$",
      "$apr1$",
      "$2a$",
      "$2b$",
      "$2y$",
      "$argon2i$",
      "$argon2d$",
      "$argon2id$",
      "$scrypt$"
    ],
    rest: "(?:[\\w=,.]{1,40}\\$){0,3}(?=[A-Za-z./]{0,30}\\d)[A-Za-z0-9./+]{22,}(?:\\$[A-Za-z0-9./+]{22,})?"
  },
  {
    rule: "a key that says so",
    words: [
      "live",
      "prod",
      "production",
      "sandbox",
      "pat",
      "sk",
      "api",
      "apikey",
      "secret",
      "key",
      "tkn",
      "token",
      "oat",
      "uat"
    ].flatMap((each) => [`_${each}_`, `-${each}-`]),
    digitWithin: 60,
    rest: `(?:\\w{1,8}_)?(?:${uuid}|(?=[a-z0-9]{0,30}[A-Z])(?=[A-Z0-9]{0,30}[a-z])(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{30,}|(?=(?:[A-Za-z]{0,24}\\d){2})[A-Za-z0-9]{20,}[\\w-]*|(?=[\\w-]{0,30}[A-Z])(?=[\\w-]{0,30}[a-z])(?=(?:[A-Za-z_-]{0,12}\\d){2})[\\w-]{24,})`,
    before: ["[A-Za-z][A-Za-z0-9]{1,20}(?:[_-][a-z0-9]{1,8})?", 30]
  },
  {
    rule: "a private key of Square or GoCardless",
    words: ["live_", "test_"],
    rest: "(?=[A-Za-z_-]{0,20}\\d)(?:[0-9a-f]{35}|[\\w=-]{40})(?![\\w=-])"
  }
]

/** The rules for tokens that are known by their form. */
export const tokenRules: ReadonlyArray<Rule> = [
  ...ofKind("jwt", jwts),
  ...ofKind("api-key", apiKeys),
  ...ofKind("github-token", githubTokens),
  ...ofKind("aws-key", awsKeys),
  ...ofKind("slack-token", slackTokens),
  ...ofKind("token", tokens)
]
