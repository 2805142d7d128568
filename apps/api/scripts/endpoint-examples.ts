/** Values of members that have no example in their own schema, by name. All are well-formed; none is anybody's. */
const values: Readonly<Record<string, unknown>> = {
  message: 'wallet.example wants you to sign in …',
  signature: `0x${'11'.repeat(64)}1b`,
  userOpHash: `0x${'22'.repeat(32)}`,
  validUntil: 2_000_000_000,
  validAfter: 1_900_000_000,
  orderId: `0x${'33'.repeat(32)}`,
  sessionKey: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  action: 'request',
  credentialId: 'dGhlIGlkIG9mIGEgcGFzc2tleQ',
  transactionDetails: [
    { targetContractAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', value: '1000', encodedData: '0x' },
  ],
  change: { kind: 'addOwner', owner: { address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' } },
  sequence: '0',
  kind: `0x${'63616e63656c'.padEnd(64, '0')}`,
  data: '0x',
  newOwners: [{ address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }],
  guardian: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  permissions: [
    { type: 'native-token-allowance', allowance: '5000000000000000' },
    { type: 'gas-fee-allowance', allowance: '1000000000000000' },
  ],
}

/** Optional members without which an example would say little. */
const shown: Readonly<Record<string, readonly string[]>> = {
  ownerAdd: ['ownerAddress'],
  ownerRemove: ['ownerAddress'],
  sessionKeyCheck: ['transactionDetails'],
  smartAccountBuild: ['transactionDetails'],
  smartAccountGasFees: ['transactionDetails'],
  smartBalanceGetBalance: ['walletAddress'],
  smartBalanceExit: ['amount'],
  messageCheck: ['message'],
  messageFinish: ['message'],
  messagePrepare: ['message'],
  webauthnMessageOptions: ['message'],
  webauthnMessageVerify: ['message'],
  webauthnTransactionOptions: ['transactionDetails'],
}

/** A member of a query or a body, as the OpenAPI document describes it. */
export interface Schema {
  readonly example?: unknown
  readonly [member: string]: unknown
}

/** Whether an example of this operation has this member. */
export const isShown = (operationId: string, name: string, required: boolean): boolean =>
  required || (shown[operationId]?.includes(name) ?? false)

/** @throws TypeError for a member that has no example yet */
export function exampleOf(name: string, schema: Schema): unknown {
  if (name in values) return values[name]
  if (schema.example !== undefined) return schema.example
  throw new TypeError(`apps/api/scripts/endpoint-examples.ts has no example of ${name}`)
}
