// @promise 13
import { canonicalAddresses } from '@lanyard/devnet'
import { epochsAddress } from '@lanyard/onchain'
import { type Address, encodeAbiParameters, getAddress, hexToBigInt, keccak256, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compilePermissions, encodeGrant, type SessionKey, sessionKeyId } from '../src/index.ts'
import { type Chain, type OpcodeTrace, ownerAt, sessionKeys, startChain } from './chain.ts'
import { ecdsaKey, webCryptoKey } from './software-keys.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

/** Opcodes forbidden during validation: ERC-7562 OP-011, OP-013, OP-020, OP-054 and the creation opcodes. */
const forbiddenOpcodes = new Set([
  ...['ORIGIN', 'GASPRICE', 'BLOCKHASH', 'COINBASE', 'TIMESTAMP', 'NUMBER', 'PREVRANDAO', 'DIFFICULTY'],
  ...['GASLIMIT', 'BASEFEE', 'BLOBHASH', 'BLOBBASEFEE', 'BALANCE', 'SELFBALANCE', 'INVALID', 'SELFDESTRUCT'],
  ...['CREATE', 'CREATE2', 'SSTORE', 'TSTORE', 'TLOAD'],
])

/** The standard's core precompiles, and RIP-7212's, which is accepted on networks that have it (OP-062). */
const precompiles = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 0x100].map((n) => BigInt(n)))

interface Step {
  readonly op: string
  readonly next: string | undefined
  /** The address whose code runs. */
  readonly code: Address
  readonly stack: readonly bigint[]
}

const callOpcodes = new Set(['CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE'])
const beforeExecution = hexToBigInt('0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972')

/**
 * The steps between the start of `handleOps` and EntryPoint's event BeforeExecution, each with the code that
 * runs.
 */
function* validationSteps({ structLogs }: OpcodeTrace): Generator<Step> {
  const codes: Address[] = [canonicalAddresses.entryPoint]
  let called: Address | undefined
  for (const [index, { op, depth, stack: words }] of structLogs.entries()) {
    const stack = words.map((word) => BigInt(word)).reverse()
    if (op === 'LOG1' && stack[2] === beforeExecution) return
    if (depth > codes.length && called !== undefined) codes.push(called)
    codes.length = depth
    const code = codes[depth - 1]
    if (code === undefined) throw new TypeError('A trace begins at depth 1.')
    yield { op, next: structLogs[index + 1]?.op, code, stack }
    called = callOpcodes.has(op) ? addressOf(stack[1] ?? 0n) : undefined
  }
  throw new TypeError('handleOps emits BeforeExecution.')
}

const addressOf = (word: bigint): Address => getAddress(numberToHex(BigInt.asUintN(160, word), { size: 20 }))

/** The two slots of `_terms[key][account]`: keccak256(account ‖ …) + n, associated with the account (STO-021). */
function associatedSlots(account: Address, key: SessionKey): bigint[] {
  const ofKey = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [sessionKeyId(key), 0n]),
  )
  const slot = hexToBigInt(
    keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [account, ofKey])),
  )
  return [slot, slot + 1n]
}

/** The slot of `_ends[SESSIONS][0][account]` in Epochs. */
function endSlot(account: Address): bigint {
  const words = [{ type: 'uint256' }, { type: 'uint256' }] as const
  const ofKind = keccak256(encodeAbiParameters(words, [1n, 1n]))
  const ofEpoch = keccak256(encodeAbiParameters(words, [0n, hexToBigInt(ofKind)]))
  return hexToBigInt(keccak256(encodeAbiParameters(words, [hexToBigInt(account), hexToBigInt(ofEpoch)])))
}

describe.each([
  ['ECDSA', 1, async () => ecdsaKey()],
  ['P-256', 2, webCryptoKey],
] as const)('validation of a session operation under ERC-7562: %s', (_, index, makeKey) => {
  test('behavior: uses no forbidden opcodes, foreign storage or third-party calls', async () => {
    const { key, sign } = await makeKey()
    const owner = ownerAt(index)
    const account = await chain.fund(owner)
    const now = await chain.now()
    const compiled = compilePermissions(
      [
        { type: 'native-token-allowance', allowance: '1000' },
        { type: 'gas-fee-allowance', allowance: (10n ** 18n).toString() },
      ],
      { validAfter: now, validUntil: now + 3600 },
    )
    if (!compiled.ok) throw new TypeError(JSON.stringify(compiled.problems))
    const { session } = compiled
    const grant = encodeGrant({ account, sessionKeys, key, session, isOwner: false, isModule: false })
    await chain.submitAsOwner(owner, grant)
    const state = await chain.sessionOf(account, sessionKeyId(key))
    const calls = [
      { to: '0x00000000000000000000000000000000000A11cE' as const, value: 1n, data: '0x' as const },
    ]
    const operation = await chain.sessionOperation(state, { account, key, calls })
    const trace = await chain.traceHandleOps(await chain.signAsSession(operation, state, key, sign))

    const steps = [...validationSteps(trace)].filter(({ code }) => code !== canonicalAddresses.entryPoint)
    const own = steps.filter(({ code }) => code === sessionKeys)
    expect(own.length).toBeGreaterThan(500)
    expect(steps.filter(({ op }) => forbiddenOpcodes.has(op))).toEqual([])
    // OP-012: GAS only directly before a call.
    expect(steps.filter(({ op, next }) => op === 'GAS' && !callOpcodes.has(next ?? ''))).toEqual([])

    const slots = own.filter(({ op }) => op === 'SLOAD').map(({ stack }) => stack[0])
    expect(new Set(slots)).toEqual(new Set(associatedSlots(account, key)))
    // The module's own code runs in its own storage, and reads nothing from it.
    const module = steps.filter(({ code }) => code === canonicalAddresses.safe4337Module)
    expect(module.some(({ op }) => op === 'SLOAD')).toBe(false)
    const called = own.filter(({ op }) => callOpcodes.has(op)).map(({ stack }) => stack[1])
    expect(called.length).toBeGreaterThan(0)
    expect(called.filter((address) => !precompiles.has(address ?? 0n))).toEqual([hexToBigInt(epochsAddress)])
    // Epochs reads one slot, which is the account's, too.
    const read = steps.filter(({ code, op }) => code === getAddress(epochsAddress) && op === 'SLOAD')
    expect(read.map(({ stack }) => stack[0])).toEqual([endSlot(account)])
  })
})
