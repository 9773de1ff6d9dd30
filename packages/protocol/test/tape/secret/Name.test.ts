import { describe, expect, it } from "vitest"
import { namedAs } from "../../../src/tape/secret/Name.ts"

const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  password: [
    "password",
    "DB_PASSWORD",
    "dbPassword",
    "pgpassword",
    "PASSWORD_PROD",
    "pass",
    "MYSQL_PWD",
    "ssh-passphrase"
  ],
  secret: [
    "api_key",
    "apiKey",
    "APIKEY2",
    "clientSecret",
    "AWS_SECRET_ACCESS_KEY",
    "SECRET_KEY_BASE",
    "_authToken",
    "token"
  ],
  key: ["DEPLOYMENT_KEY", "X-Amz-Signature", "auth"],
  header: ["Authorization", "x-api-key", "Set-Cookie", "HTTP_AUTHORIZATION"],
  phrase: ["mnemonic", "seed_phrase"],
  undefined: [
    "public_key",
    "primaryKey",
    "tokens",
    "max_tokens",
    "token_type",
    "secret_name",
    "passwordHash",
    "next_page_token"
  ]
}

describe("a name", () => {
  it.each(Object.entries(names))("says %s", (said, each) => {
    for (const name of each) expect([name, String(namedAs(name))]).toEqual([name, said])
  })
})
