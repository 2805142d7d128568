import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@lanyard/contracts'
import type { DevnetNode } from '@lanyard/devnet'
import { type Hex, keccak256, numberToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { timed } from '../report/statistics.ts'
import { accountOf, createChain, deploy, fund } from '../wallets/chain.ts'
import { paid } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'

export const senders = 8
export const sentPerSecond = 10

const rounds = 3
const roundLength = 5_000
const callers = 4
const buildsOfVictim = 64

/** Milliseconds of every build in the rounds of either kind, and how many of them were not answered 200. */
interface Measured {
  readonly quiet: readonly number[]
  readonly attacked: readonly number[]
  readonly failed: number
}

export async function measureWrongSignatures(
  { rpcUrl, chainId }: Pick<DevnetNode, 'rpcUrl' | 'chainId'>,
  url: string,
  progress: (line: string) => void,
): Promise<Measured> {
  let addresses = 0
  /** An address that nobody has called from. */
  const nextAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`
  const post = async (path: string, body: object, from = nextAddress()) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    return response.status
  }
  const { create, build, submit } = endpoints.smartAccount
  const buildFor = (owner: PrivateKeyAccount, value: number) =>
    post(build.path, {
      network: String(chainId),
      walletAddress: accountOf(owner),
      transactionDetails: [{ ...paid, value: String(value) }],
    })

  const [victim, attacker, ...others] = ownersFrom(700, callers + 2)
  if (!victim || !attacker) throw new TypeError('There are two')
  const owners = [victim, ...others]
  const chain = createChain(rpcUrl)
  await fund(chain, owners)
  await deploy(chain, owners)
  for (const owner of owners) await post(create.path, { eoaAddress: owner.address })
  for (let index = 0; index < buildsOfVictim; index++) await buildFor(victim, index)

  const signatures: Hex[] = []
  for (let index = 0; index < 50; index++) {
    signatures.push(await attacker.sign({ hash: keccak256(numberToHex(index)) }))
  }

  const walletAddress = accountOf(victim)
  const sources = Array.from({ length: senders }, nextAddress)
  async function attack(signal: AbortSignal): Promise<void> {
    const sending: Promise<unknown>[] = []
    const send = async (from: string) => {
      for (let count = 0; !signal.aborted; count++) {
        const signature = signatures[count % signatures.length]
        sending.push(post(submit.path, { walletAddress, signature }, from))
        await delay(1_000 / sentPerSecond)
      }
    }
    await Promise.all(sources.map(send))
    await Promise.all(sending)
  }

  let failed = 0
  let values = 0
  async function measureRound(): Promise<number[]> {
    const until = performance.now() + roundLength
    const times = await Promise.all(
      others.map(async (owner) => {
        const own: number[] = []
        while (performance.now() < until) {
          const { ms, value: status } = await timed(() => buildFor(owner, values++))
          own.push(ms)
          if (status !== 200) failed++
        }
        return own
      }),
    )
    return times.flat()
  }

  await measureRound() // warm
  const quiet: number[] = []
  const attacked: number[] = []
  for (let round = 0; round < rounds; round++) {
    quiet.push(...(await measureRound()))
    const stop = new AbortController()
    const attacking = attack(stop.signal)
    attacked.push(...(await measureRound()))
    stop.abort()
    await attacking
    progress(`round ${round + 1} of ${rounds}: ${quiet.length} builds quiet, ${attacked.length} under attack`)
  }
  return { quiet, attacked, failed }
}
