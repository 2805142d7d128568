import { endpoints } from '@lanyard/contracts'
import { type Address, concat, type Hex, numberToHex, serializeErc6492Signature } from 'viem'
import type { HostileRequest } from './attacker.ts'
import type { HeldConnections } from './hold-connections.ts'

/** What an attack may use. */
export interface AttackGround {
  readonly network: number
  /** Deployed wallets of the attacker. */
  readonly wallets: readonly Address[]
  /** A signature of the first wallet's owner, whose operation is included. */
  readonly usedSignature: Hex
  /** Puts code on the network, as anyone can by a transaction. */
  setCode(address: Address, code: Hex): Promise<void>
}

interface NamedAttack {
  readonly name: string
  /** The attacker uses all addresses of a /24; otherwise one. */
  readonly isNetwork?: boolean
  /** The attacker uses so many addresses, each of another network, and keeps two requests of each open. */
  readonly networks?: number
}

/** Requests to the service itself. */
export interface RequestAttack extends NamedAttack {
  prepare(ground: AttackGround): Promise<readonly HostileRequest[]>
}

/** Connections to the proxy, with the shipped configuration, that say almost nothing. */
export interface SlowAttack extends NamedAttack {
  readonly held: Pick<HeldConnections, 'count' | 'text' | 'more'>
}

export type Attack = RequestAttack | SlowAttack

const post = (path: string, body: object): HostileRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
})

const contract = (last: number): Address =>
  `0x00000000000000000000000000000000bad000${numberToHex(last, { size: 1 }).slice(2)}`

/** 127 KiB, of which a few bytes differ each time, so that nothing is remembered. */
const longData = `0x@count@${'ab'.repeat(127 * 1024 - 4)}`

/** `PUSH3 count, JUMPDEST, PUSH1 1, SWAP1, SUB, DUP1, PUSH1 4, JUMPI, STOP`: 26 gas for each of `count`. */
const burn = (gas: number): Hex =>
  concat(['0x62', numberToHex(Math.floor(gas / 26), { size: 3 }), '0x5b60019003806004', '0x5700'])

/** `JUMPDEST, PUSH0, JUMP`: until all gas is used. */
const loop: Hex = '0x5b5f56'

const { build, importSafe, submit } = endpoints.smartAccount

const builds = ({ network, wallets }: AttackGround, call: object): readonly HostileRequest[] =>
  wallets.map((walletAddress) =>
    post(build.path, { network: String(network), walletAddress, transactionDetails: [call] }),
  )

/** Each address is within its limits, and all of them together ask more of the node than it has. */
const costlyBuilds = (networks: number): RequestAttack => ({
  name: `builds that use 12.5 million gas, of ${networks} addresses`,
  networks,
  async prepare(ground) {
    await ground.setCode(contract(1), burn(12_500_000))
    return builds(ground, { encodedData: '0x@count@', targetContractAddress: contract(1), value: '0' })
  },
})

/** The attacks with a publishable key. */
export const attacks: readonly RequestAttack[] = [
  {
    name: 'builds with 127 KiB of call data, each with an Idempotency-Key',
    prepare: async (ground) =>
      builds(ground, { encodedData: longData, targetContractAddress: contract(0), value: '0' }).map(
        (request) => ({ ...request, keyed: true }),
      ),
  },
  {
    name: '250 KB of `[],[],…` as an address',
    async prepare({ network }) {
      const nothing = Array.from({ length: 83_000 }, () => [])
      return [post(build.path, { network: String(network), walletAddress: nothing })]
    },
  },
  {
    name: 'builds that use 12.5 million gas',
    async prepare(ground) {
      await ground.setCode(contract(1), burn(12_500_000))
      return builds(ground, { encodedData: '0x@count@', targetContractAddress: contract(1), value: '0' })
    },
  },
  {
    name: 'message checks whose ERC-6492 factory loops',
    async prepare({ network, wallets, setCode }) {
      await setCode(contract(2), loop)
      const signature = serializeErc6492Signature({
        address: contract(2),
        data: '0x',
        signature: `0x${'11'.repeat(65)}`,
      })
      const check = { network: String(network), message: '@count@', signature }
      return wallets.map((walletAddress) => post(endpoints.message.check.path, { walletAddress, ...check }))
    },
  },
  {
    name: 'a used signature, sent again by 250 addresses of a network',
    isNetwork: true,
    prepare: async ({ wallets, usedSignature }) => [
      post(submit.path, { walletAddress: wallets[0], signature: usedSignature }),
    ],
  },
  ...[16, 64, 250].map(costlyBuilds),
  {
    name: 'imports of addresses without a Safe, of 250 addresses',
    networks: 250,
    prepare: async () => [post(importSafe.path, { walletAddress: `0x${'ba'.repeat(16)}@count@` })],
  },
]

const head = `POST ${build.path} HTTP/1.1\r\nHost: wallets.example\r\nContent-Type: application/json\r\n`
const slowBody = { text: `${head}Content-Length: 1000\r\n\r\n{`, more: ' ' }

/** They need neither a key nor a whole request. */
export const slowAttacks: readonly SlowAttack[] = [
  { name: '1,017 slow bodies of one address', held: { count: 1_017, ...slowBody } },
  {
    name: '1,017 slow bodies of 250 addresses of a network',
    isNetwork: true,
    held: { count: 1_017, ...slowBody },
  },
  { name: '1,000 slow headers', held: { count: 1_000, text: head, more: 'X-Slow: 1\r\n' } },
  { name: '2,000 idle connections', held: { count: 2_000, text: '' } },
]
