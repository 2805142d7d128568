import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

/* The results of ERC-7769, ERC-7677 and EIP-5792 as JSON Schema. Members that the standards do not name are errors. */

const string = (pattern: string) => ({ type: 'string', pattern })
const address = string('^0x[0-9a-fA-F]{40}$')
const hash = string('^0x[0-9a-f]{64}$')
const bytes = string('^0x([0-9a-f]{2})*$')
/** Integers in EIP-1474 form, without leading zeros. */
const quantity = string('^0x(0|[1-9a-f][0-9a-f]{0,63})$')

/** An object with exactly these members. */
const exactly = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
})
const nullOr = (schema: object) => ({ anyOf: [{ type: 'null' }, schema] })

/** Logs and receipts of nodes have more members than the standards name. */
const open = (required: Record<string, object>) => ({ ...exactly(required), additionalProperties: true })
const log = { address, data: bytes, topics: { type: 'array', items: hash, maxItems: 4 } }
const minedLog = open({
  ...log,
  ...{ blockHash: hash, blockNumber: quantity, transactionHash: hash, transactionIndex: quantity },
  logIndex: quantity,
  removed: { type: 'boolean' },
})

const paymasterMembers = {
  paymaster: address,
  paymasterData: bytes,
  paymasterVerificationGasLimit: quantity,
  paymasterPostOpGasLimit: quantity,
}
const gasLimits = { callGasLimit: quantity, verificationGasLimit: quantity, preVerificationGas: quantity }

const userOperation = {
  ...exactly(
    {
      ...{ sender: address, nonce: quantity, callData: bytes, ...gasLimits },
      ...{ maxFeePerGas: quantity, maxPriorityFeePerGas: quantity, signature: bytes },
    },
    { factory: address, factoryData: bytes, ...paymasterMembers },
  ),
  // The factory members come together, and so do the paymaster members.
  dependentRequired: {
    factory: ['factoryData'],
    factoryData: ['factory'],
    ...Object.fromEntries(Object.keys(paymasterMembers).map((name) => [name, Object.keys(paymasterMembers)])),
  },
}

const minedIn = (place: (schema: object) => object) => ({
  transactionHash: place(hash),
  blockHash: place(hash),
  blockNumber: place(quantity),
})
const found = (place: (schema: object) => object) =>
  exactly({ userOperation, entryPoint: address, ...minedIn(place) })

const schemas = {
  eth_chainId: quantity,
  eth_supportedEntryPoints: { type: 'array', items: address, minItems: 1 },
  eth_sendUserOperation: hash,
  eth_estimateUserOperationGas: {
    ...exactly(gasLimits, { paymasterVerificationGasLimit: quantity, paymasterPostOpGasLimit: quantity }),
  },
  // The cases are an included, a pending and an unknown operation.
  eth_getUserOperationByHash: {
    anyOf: [{ type: 'null' }, found((schema) => schema), found(() => ({ type: 'null' }))],
  },
  eth_getUserOperationReceipt: nullOr(
    exactly(
      {
        ...{ userOpHash: hash, entryPoint: address, sender: address, nonce: quantity, paymaster: address },
        ...{ actualGasCost: quantity, actualGasUsed: quantity, success: { type: 'boolean' } },
        logs: { type: 'array', items: minedLog },
        receipt: open({
          ...minedIn((schema) => schema),
          ...{ transactionIndex: quantity, from: address, to: address, cumulativeGasUsed: quantity },
          ...{ gasUsed: quantity, effectiveGasPrice: quantity, status: quantity },
          logs: { type: 'array', items: minedLog },
          logsBloom: string('^0x[0-9a-f]{512}$'),
        }),
      },
      { reason: bytes },
    ),
  ),
  pm_getPaymasterStubData: exactly(paymasterMembers, {
    sponsor: exactly({ name: { type: 'string' } }, { icon: string('^data:') }),
    isFinal: { type: 'boolean' },
  }),
  pm_getPaymasterData: exactly(paymasterMembers),
  wallet_getCallsStatus: exactly(
    {
      version: { const: '2.0.0' },
      ...{ id: bytes, chainId: quantity, atomic: { type: 'boolean' } },
      status: { enum: [100, 200, 400, 500, 600] },
    },
    {
      receipts: {
        type: 'array',
        items: exactly({
          ...minedIn((schema) => schema),
          logs: { type: 'array', items: exactly(log) },
          status: { enum: ['0x0', '0x1'] },
          gasUsed: quantity,
        }),
      },
    },
  ),
  wallet_getCapabilities: {
    type: 'object',
    propertyNames: quantity,
    additionalProperties: exactly({ atomic: exactly({ status: { enum: ['supported', 'ready'] } }) }),
  },
} as const

export type StandardMethod = keyof typeof schemas
export const standardMethods = Object.keys(schemas) as StandardMethod[]

const ajv = new Ajv2020({ allErrors: true, strictRequired: false })
const compiled = new Map(standardMethods.map((method) => [method, ajv.compile(schemas[method])]))

/** Expects a result without an error, in the form that the method's standard requires. */
export function requireStandardResult(method: StandardMethod, answer: object): void {
  expect(Object.keys(answer).toSorted()).toEqual(['id', 'jsonrpc', 'result'])
  const validate = compiled.get(method)
  validate?.(Reflect.get(answer, 'result'))
  expect(validate?.errors ?? null, `${method}: ${JSON.stringify(answer)}`).toBeNull()
}
