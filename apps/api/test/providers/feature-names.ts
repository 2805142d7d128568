/** The columns of the table in docs/providers.md. */
export const featureNames = [
  'create an account',
  'build an operation',
  'submit it',
  'its receipt and status',
  'transfers of a wallet',
  'the smart balance',
  'an order and its settlement',
  'a session key',
  'events and webhooks',
  'health',
] as const

export type FeatureName = (typeof featureNames)[number]
