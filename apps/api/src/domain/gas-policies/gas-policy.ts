import { accountKind, address, username, usernameKey } from '@lanyard/contracts'
import { type AbiFunction, parseAbiItem, toFunctionSelector } from 'viem'
import { z } from 'zod'

const wei = z
  .string('Expected a decimal string of wei')
  .regex(/^\d{1,30}$/, 'Expected a whole number of wei')
  .transform((text) => BigInt(text))

const limit = z
  .strictObject({
    wei: wei
      .optional()
      .meta({ description: 'The cost of gas, at the maximum price that the operation may pay.' }),
    operations: z.int().nonnegative().optional(),
  })
  .refine((value) => value.wei !== undefined || value.operations !== undefined, {
    message: 'Expected wei, operations, or both',
  })

const spans = {
  /** From midnight to midnight, UTC. */
  day: limit.optional(),
  /** As long as the policy keeps its id. */
  total: limit.optional(),
}

const budgets = z.strictObject({
  /** Maximum cost of one operation. */
  operation: wei.optional(),
  /** Limits for all operations of the policy on one network. */
  ...spans,
  account: z.strictObject(spans).optional(),
  /** Whoever asks, whatever accounts they use: an address, or an account of a secret key. */
  caller: z.strictObject(spans).optional(),
  apiKey: z.strictObject(spans).optional(),
})

/** Units of gas. EntryPoint charges a tenth of the call gas that an operation does not use. */
const callGas = z.int().positive().max(10_000_000, 'At most 10000000').default(1_000_000)

/** A selector, lower case; `0x`: a call without data. */
const functionName = z.string().transform((text, context) => {
  if (/^0x(?:[0-9a-fA-F]{8})?$/.test(text)) return text.toLowerCase()
  try {
    // Checks the types and normalises uint to uint256.
    const item = parseAbiItem(`function ${text}`) as AbiFunction // the first word says so
    return toFunctionSelector(item)
  } catch {
    // viem's message is long, so it is dropped.
  }
  context.addIssue(
    'Expected a signature such as transfer(address,uint256), a selector of 4 bytes, or 0x for a call without data',
  )
  return z.NEVER
})

const setOf = <T extends z.ZodType<string>>(item: T) =>
  z
    .array(item)
    .min(1, 'Expected at least one; leave the list out to match all')
    .transform((items): ReadonlySet<string> => new Set(items))

const lowerCaseAddress = address.transform((value) => value.toLowerCase())

const callRule = z
  .strictObject({ contract: lowerCaseAddress.optional(), functions: setOf(functionName).optional() })
  .refine(({ contract, functions }) => contract !== undefined || functions !== undefined, {
    message: 'Expected contract, functions, or both',
  })

const time = z.iso
  .datetime({ offset: true, error: 'Expected a time such as 2026-01-31T12:00:00Z' })
  .transform((text) => new Date(text))

/** Seconds. */
const validity = z.int().min(60, 'At least 60').max(2_592_000, 'At most 2592000, 30 days')

const paymaster = z.strictObject({
  /** ERC-7677. `{chainId}` in it is replaced by the network's chain id. */
  url: z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text), 'Expected an https URL'),
  /** Sent unchanged. */
  context: z.record(z.string(), z.json()).default({}),
  /** Seconds for which the paymaster's signature can be used. The reservation lasts equally long. */
  validity: validity.default(86_400),
})

/** Percent, with at most two digits after the point. */
const percent = z
  .number()
  .min(0, 'At least 0')
  .max(100, 'At most 100')
  .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e4), 'At most two digits after the point')

/** Tokens for one native coin, as a decimal string. */
const tokenPrice = z.string().regex(/^\d{1,18}(\.\d{1,18})?$/, 'Expected a decimal string such as "3000.5"')

const charge = z.strictObject({
  /** Symbol of the settlement token or of one of `feeTokens`, on each network of the policy. */
  token: z.string().min(1).max(16),
  /** Percent that is added to the price of the gas. */
  markup: percent.default(0),
  /** Outside of these prices, which count before the markup, no fees are taken: a price source may lie. */
  price: z.strictObject({ min: tokenPrice, max: tokenPrice }).optional(),
})

const conditions = {
  /** Names as in `lanyard keys create`; the name of a publishable key has the prefix `public:`. */
  apiKeys: setOf(
    z
      .string()
      .regex(/^(public:)?[^:\s]{1,64}$/, 'Expected a name, with public: before it for a publishable key'),
  ).optional(),
  networks: z
    .array(z.int().positive('Expected a chain id'))
    .min(1, 'Expected at least one; leave the list out to match all')
    .transform((items): ReadonlySet<number> => new Set(items))
    .optional(),
  accounts: setOf(lowerCaseAddress).optional(),
  accountKinds: setOf(accountKind).optional(),
  users: setOf(username.transform(usernameKey)).optional(),
  calls: z.array(callRule).min(1, 'Expected at least one; leave the list out to match all').optional(),
  validFrom: time.optional(),
  validUntil: time.optional(),
}

const common = {
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'Expected lower-case letters, digits and "-", at most 64'),
  description: z.string().max(500).optional(),
  ...conditions,
}

const allowing = z
  .strictObject({
    ...common,
    effect: z.literal('allow'),
    budgets,
    callGas,
    /** True: callers may send its operations through another bundler. Their gas then pays that bundler. */
    anyBundler: z.boolean().default(false),
    paymaster: paymaster.optional(),
    /** The accounts pay, in a token. The budgets bound what they have not paid. */
    charge: charge.optional(),
  })
  .superRefine(({ budgets: { day, total, operation }, paymaster: external, networks, charge }, context) => {
    const isBounded =
      day?.wei !== undefined ||
      total?.wei !== undefined ||
      (operation !== undefined && (day ?? total)?.operations !== undefined)
    if (!isBounded) {
      context.addIssue({
        code: 'custom',
        path: ['budgets'],
        message:
          'Limit what all accounts get together: day.wei, total.wei, or operation with day.operations or total.operations. Anyone can make accounts quickly, so a limit for each account is not enough',
      })
    }
    if (external && charge) {
      context.addIssue({
        code: 'custom',
        path: ['charge'],
        message: 'Our own paymaster takes tokens: remove paymaster, or charge',
      })
    }
    if (external && networks?.size !== 1 && !external.url.includes('{chainId}')) {
      context.addIssue({
        code: 'custom',
        path: ['paymaster', 'url'],
        message: 'Name the one network of this URL in networks, or write {chainId} in the URL',
      })
    }
  })

const denying = z.strictObject({ ...common, effect: z.literal('deny') })

const policy = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { effect: 'allow', ...value }
      : value,
  z
    .discriminatedUnion('effect', [allowing, denying], { error: 'Expected allow or deny' })
    .refine(({ validFrom, validUntil }) => !validFrom || !validUntil || validFrom < validUntil, {
      path: ['validUntil'],
      message: 'It ends before it begins',
    }),
)

/** Contents of POLICIES_FILE: the first policy that matches pays, unless a matching policy denies. */
export const policiesFile = z.strictObject({
  policies: z.array(policy).superRefine((policies, context) => {
    const seen = new Set<string>()
    for (const [index, { id }] of policies.entries()) {
      if (seen.has(id)) {
        context.addIssue({
          code: 'custom',
          path: [index, 'id'],
          message: `${id} is the id of an earlier policy`,
        })
      }
      seen.add(id)
    }
  }),
})

export type GasPolicy = z.output<typeof policy>
export type AllowingPolicy = Extract<GasPolicy, { readonly effect: 'allow' }>
export type CallRule = z.output<typeof callRule>
export type TokenCharge = z.output<typeof charge>
export type ExternalPaymaster = z.output<typeof paymaster>
