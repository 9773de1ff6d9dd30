/**
 * Rate limits of a subscription. They are reported to logged-in users only: with an API key no
 * `rate_limit_event` was ever recorded, so these shapes come from the CLI's own definitions.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { envelope } from "./Envelope.ts"

const Status = known("allowed", "allowed_warning", "rejected")

/** One of the windows in which usage is counted. */
export const RateLimitWindow = open("RateLimitWindow", {
  utilization: Schema.Finite,
  resetsAt: Schema.Finite,
  status: optional(Status),
  surpassedThreshold: optional(Schema.Finite)
})

/** One of the windows in which usage is counted. */
export type RateLimitWindow = typeof RateLimitWindow.Type

/** How much of the limit is used up. Its keys are camelCase. */
export const RateLimitInfo = open("RateLimitInfo", {
  status: Status,
  resetsAt: optional(Schema.Finite),
  rateLimitType: optional(
    known("five_hour", "seven_day", "seven_day_opus", "seven_day_sonnet", "seven_day_overage_included", "overage")
  ),
  utilization: optional(Schema.Finite),
  unifiedWindows: optional(
    open({
      five_hour: optional(RateLimitWindow),
      seven_day: optional(RateLimitWindow),
      seven_day_overage_included: optional(RateLimitWindow)
    })
  ),
  overageStatus: optional(Status),
  overageResetsAt: optional(Schema.Finite),
  overageDisabledReason: optional(
    known(
      "overage_not_provisioned",
      "org_level_disabled",
      "org_level_disabled_until",
      "out_of_credits",
      "seat_tier_level_disabled",
      "member_level_disabled",
      "seat_tier_zero_credit_limit",
      "group_zero_credit_limit",
      "member_zero_credit_limit",
      "org_service_level_disabled",
      "no_limits_configured",
      "fetch_error",
      "unknown"
    )
  ),
  isUsingOverage: optional(Schema.Boolean),
  overageInUse: optional(Schema.Boolean),
  overageEnabled: optional(Schema.Boolean),
  surpassedThreshold: optional(Schema.Finite),
  dailyCapPaused: optional(Schema.Boolean),
  rateLimitGraceActive: optional(Schema.Boolean),
  overagePeriodMonthly: optional(open({ utilization: Schema.Finite })),
  overagePeriodChannel: optional(open({ utilization: Schema.Finite })),
  limitScope: optional(known("service", "channel", "group_pool")),
  errorCode: optional(known("credits_required")),
  canUserPurchaseCredits: optional(Schema.Boolean),
  hasChargeableSavedPaymentMethod: optional(Schema.Boolean),
  usageCreditOffer: optional(
    open({
      kind: known("pct_off", "extra_credit"),
      headlinePct: Schema.Finite,
      daysLeft: Schema.Finite,
      label: Schema.String
    })
  ),
  adminRequestOffer: optional(
    open({
      state: known("can_ask", "pending", "sending", "sent"),
      label: Schema.String,
      doneLabel: Schema.String,
      confirm: Schema.Boolean,
      confirmPrompt: Schema.String,
      lastFileFailed: optional(Schema.Boolean),
      revision: optional(Schema.Finite)
    })
  )
})

/** How much of the limit is used up. */
export type RateLimitInfo = typeof RateLimitInfo.Type

/** The state of the rate limit changed. */
export const RateLimitEvent = open("RateLimitEvent", {
  type: Schema.Literal("rate_limit_event"),
  rate_limit_info: RateLimitInfo,
  ...envelope
})

/** The state of the rate limit changed. */
export type RateLimitEvent = typeof RateLimitEvent.Type
