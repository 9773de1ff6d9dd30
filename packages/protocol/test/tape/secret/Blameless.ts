/** Texts that look like secrets, or have their words in them, and are none. */

/** A reference, as shells and templates write it. */
const inBraces = (name: string): string => `\${${name}}`

/** The texts. */
export const blameless: ReadonlyArray<string> = [
  ...["da39a3ee5e6b4b0d3255bfef95601890afd80709", "commit 7fd1a60b01f91b314f59955a4e4d4e80d8edf11d"],
  ...["123e4567-e89b-12d3-a456-426614174000", "session_id: 7b1f0c3e-3b1a-4b6a-9d5a-0d8a3a5b7c1d"],
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  `"integrity": "sha512-${"A1b2".repeat(21)}=="`,
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  ...[
    "password: string",
    "password?: string | undefined",
    "token: number",
    "(token: string) => void",
    "token?: string"
  ],
  ...[
    "token: Redacted.Redacted<string>",
    "apiKey: Schema.String",
    "password: z.string().min(8)",
    "password VARCHAR(255)"
  ],
  ...["process.env.API_KEY", "const key = process.env.API_KEY", "apiKey: process.env.OPENAI_API_KEY", "echo $PASSWORD"],
  ...[
    `API_KEY=${inBraces("TOKEN")}`,
    "API_KEY=$TOKEN",
    `Authorization: Bearer ${inBraces("TOKEN")}`,
    "Authorization: Bearer $TOKEN"
  ],
  ...[
    `GITHUB_TOKEN: ${inBraces("{ secrets.GITHUB_TOKEN }")}`,
    "password=:password",
    "WHERE password = ?",
    "apiKey={apiKey}"
  ],
  ...[
    "api_key=<your-api-key>",
    "API_KEY=xxxxxxxxxxxxxxxx",
    "x-api-key: YOUR_API_KEY",
    "--api-key KEY",
    "--token TOKEN"
  ],
  ...["--token-limit 5", "max_tokens: 4096", "input_tokens: 1234567890", "tokens: 12345", "token_type: Bearer"],
  ...["sk-learn", "sk-fading-circle sk-circle12 sk-child", 'class="btn-pass btn-key"', "--pass: #14713a;"],
  ...['"password": "Password"', '"password": "Please enter your password"', "passwordLabel: 'Your password'"],
  ...[
    '"forgotPassword": "Forgot your password?"',
    "Passwort: erforderlich",
    "password is required",
    "the token is invalid"
  ],
  ...["Add a password field to the login form", "fix: token refresh when the secret expires", "Basic authentication"],
  ...["bearer token required", "basic usage of the API", "login failed", "pass: 12, fail: 0", "passed: true"],
  ...[
    "password: hashPassword(input)",
    "password: user.password",
    "const token = await getToken()",
    "token = tokens[0]"
  ],
  ...["if (password === confirmPassword)", "password !== ''", "authToken: this.authToken", "accessToken: undefined,"],
  ...["secretKeyRef:\n  name: my-secret\n  key: password", "secrets: inherit", "password: !vault |", "password: >-"],
  ...["SECRET_NAME=my-app", "primary_key=id", "PUBLIC_KEY=abcdef0123456789abcdef", "cacheKey: 'user-1234-profile'"],
  ...[
    "keyboard: qwerty123456",
    "tokenizer: cl100k_base",
    "author: Ada Lovelace",
    "authentication: oauth2",
    "key: value"
  ],
  ...["postgres://user:password@localhost/db", "http://localhost:3000/@scope/x", "https://example.org:8443/path"],
  ...["docker run -u 1000:1000 x", "curl -u $USER:$PASS x", "linear-gradient(90deg, #fff 0%)", "sentry: enabled"],
  ...[
    "PWD=/srv/project",
    "OLDPWD=/srv/other",
    "SSH_AUTH_SOCK=/run/agent.1",
    "version: 1.2.3-beta.4",
    "npm_config_cache=x"
  ],
  ...["npm_lifecycle_event=build", "hf_hub_download", "live_reload", "key-value", "api-reference", "SG.js", "sl.max"],
  ...[
    "public_key: MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7",
    'etag: W/"5f3a-abc123def456"'
  ],
  ...[
    "-----BEGIN CERTIFICATE-----\nMIIB",
    `\`Bearer ${inBraces("token")}\``,
    "'Bearer ' + token",
    "csrfToken: string",
    "signature: abc"
  ]
]
