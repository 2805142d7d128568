import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { type Hex, hexToBytes, serializeTransaction } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  type Call,
  defaultVerifiers,
  encodeApplyChange,
  encodeExecuteRecovery,
  encodeStartRecovery,
  type OwnerChange,
  ownerChangeTypedData,
  recoveryTypedData,
  toGuardianSet,
} from '../src/index.ts'
import { basePoint } from './p256-base-point.ts'

/* The table of costs in docs/guardians.md: gas of the calls as forge measures it, bytes as the calls have them. */

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const measured: Record<string, string> = JSON.parse(read('packages/onchain/snapshots/Ownership.json'))

const [owner, added, anna, ben, cleo] = [1, 2, 3, 4, 5].map((seed) =>
  privateKeyToAccount(`0x${seed.toString(16).padStart(64, 'a7')}`),
) as [Account, Account, Account, Account, Account]
type Account = ReturnType<typeof privateKeyToAccount>

const context = { module: added.address, account: ben.address, sequence: 7n, number: 1n }
const eoa = (account: Account) => ({ kind: 'eoa', address: account.address }) as const
const relayed = sign({ hash: `0x${'5b'.repeat(32)}`, privateKey: `0x${'c3'.repeat(32)}` })
const newOwners = [eoa(added)]
const guardians = toGuardianSet({
  members: [anna, ben, cleo].map(({ address }) => address),
  threshold: 2,
  delay: 3 * 86_400,
})

const apply = async (change: OwnerChange) =>
  encodeApplyChange(change, await owner.signTypedData(ownerChangeTypedData(change, context)), context)

async function start() {
  const signatures = await Promise.all(
    [anna, ben].map(async (guardian) => ({
      guardian: guardian.address,
      signature: await guardian.signTypedData(recoveryTypedData(newOwners, context)),
    })),
  )
  return encodeStartRecovery(newOwners, guardians, signatures, context)
}

const passkey = { kind: 'passkey', ...basePoint, verifiers: defaultVerifiers } as const

/** EIP-2028, and the floor of EIP-7623. */
function transactionGas(data: Uint8Array, call: number): number {
  const zeros = data.filter((byte) => byte === 0).length
  const others = data.length - zeros
  return 21_000 + Math.max(call + 4 * zeros + 16 * others, 10 * zeros + 40 * others)
}

/** The whole transaction as a relayer signs it. */
async function serialize({ to, data }: Call): Promise<Uint8Array> {
  const unsigned = {
    ...({ type: 'eip1559', chainId: 8453, nonce: 1234, gas: 300_000n, to, data } as const),
    ...{ maxFeePerGas: 123_456_789n, maxPriorityFeePerGas: 1_234_567n },
  }
  return hexToBytes(serializeTransaction(unsigned, await relayed))
}

/** Bytes that a transaction counts for on OP Stack chains since Fjord: a linear function of its length under FastLZ. */
const opStackSize = (transaction: Uint8Array) =>
  Math.max(100, Math.round((836_500 * fastLzLength(transaction) - 42_585_600) / 1e6))

/** As op-geth's FlzCompressLen counts, which compresses nothing either. */
function fastLzLength(input: Uint8Array): number {
  const table = new Uint32Array(8_192)
  const at = (i: number) => (input[i] ?? 0) | ((input[i + 1] ?? 0) << 8) | ((input[i + 2] ?? 0) << 16)
  const hash = (value: number) => (Math.imul(2_654_435_769, value) >>> 19) & 0x1fff
  const limit = input.length < 13 ? 0 : input.length - 13
  let length = 0
  const countLiterals = (run: number) => {
    length += 33 * Math.floor(run / 32) + (run % 32 === 0 ? 0 : (run % 32) + 1)
  }
  let anchor = 0
  let ip = 2
  while (ip < limit) {
    let reference = 0
    for (;;) {
      const value = at(ip)
      reference = table[hash(value)] ?? 0
      table[hash(value)] = ip
      const distance = ip - reference
      if (ip >= limit) break
      ip++
      if (distance <= 0x1fff && value === at(reference)) break
    }
    if (ip >= limit) break
    ip--
    if (ip > anchor) countLiterals(ip - anchor)
    let match = 0
    const end = limit + 9 - (ip + 3)
    while (match < end && input[reference + 3 + match] === input[ip + 3 + match]) match++
    match = match < end ? match + 1 : match
    const rest = match - 1
    length += 3 * Math.floor(rest / 262) + (rest % 262 >= 6 ? 3 : 2)
    ip += match
    for (let step = 0; step < 2; step++) table[hash(at(ip))] = ip++
    anchor = ip
  }
  countLiterals(input.length - anchor)
  return length
}

/** Arbitrum compresses with Brotli, and charges 16 of its gas units for a byte. */
const arbitrumUnits = (transaction: Uint8Array) =>
  16 * brotliCompressSync(transaction, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }).length

const round = (value: number, unit: number) => (Math.round(value / unit) * unit).toLocaleString('en-US')

test('default: docs/guardians.md has the costs of each change on each kind of network', async () => {
  const calls: readonly [name: string, snapshot: string, call: Call][] = [
    ['set three guardians', 'set three guardians', await apply({ kind: 'setGuardians', guardians })],
    ['add an EOA', 'add an EOA', await apply({ kind: 'addOwner', owner: eoa(added) })],
    ['add a passkey', 'add a passkey', await apply({ kind: 'addOwner', owner: passkey })],
    [
      'replace an EOA',
      'replace an EOA by an EOA',
      await apply({ kind: 'replaceOwner', old: eoa(owner), added: eoa(added) }),
    ],
    ['remove a passkey', 'remove a passkey', await apply({ kind: 'removeOwner', owner: passkey })],
    ['end all sessions, of which one is open', 'revoke one session', await apply({ kind: 'revokeSessions' })],
    ['start a recovery, two of three sign', 'start a recovery, two of three guardians', await start()],
    ['execute it', 'execute a recovery', encodeExecuteRecovery(newOwners, context)],
  ]
  const rows = await Promise.all(
    calls.map(async ([name, snapshot, call]) => {
      const gas = Number(measured[snapshot])
      const data = hexToBytes(call.data as Hex)
      const transaction = await serialize(call)
      const figures = [
        round(gas, 1),
        round(data.length, 1),
        round(transactionGas(data, gas), 1_000),
        round(opStackSize(transaction), 10),
        round(arbitrumUnits(transaction), 100),
      ]
      return `| ${name} | ${figures.join(' | ')} |`
    }),
  )
  const page = read('docs/guardians.md')
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})
