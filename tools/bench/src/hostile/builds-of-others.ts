import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@lanyard/contracts'
import type { DevnetNode } from '@lanyard/devnet'
import type { PrivateKeyAccount } from 'viem/accounts'
import { timed } from '../report/statistics.ts'
import { accountOf, createChain, deploy, fund } from '../wallets/chain.ts'
import { paid } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'

const rounds = 3
const roundLength = 5_000
const callers = 4

/** The functions that an attack can use. */
interface AttackTools {
  /** The victim's wallet. */
  readonly victim: string
  /** One of the network's keys. It owns nothing here. */
  readonly attacker: PrivateKeyAccount
  /** Returns an address from which no request was sent yet. */
  nextAddress(): string
  /** @returns the status */
  post(path: string, body: object, from: string): Promise<number>
  /** @returns the status */
  get(path: string, from: string): Promise<number>
  /** Builds an operation whose value is one wei higher each time. */
  build(walletAddress: string, from: string, network?: number): Promise<number>
}

/** Requests that several senders repeat at a steady rate, regardless of the responses. */
export interface RequestAttack {
  readonly senders: number
  /** The rate of one sender. */
  readonly perSecond: number
  /**
   * Prepares the attack.
   *
   * @returns a function that one sender calls for each request, from its own address
   */
  prepare(tools: AttackTools): Promise<(from: string, count: number) => Promise<unknown>>
}

/** Milliseconds of every build in the rounds of each kind, and the number of builds not answered with 200. */
export interface Measured {
  readonly quiet: readonly number[]
  readonly attacked: readonly number[]
  readonly failed: number
}

/**
 * Four other callers build one operation after the other, each from its own addresses, in rounds with and
 * without an attack.
 */
export async function measureBuildsOfOthers(
  { rpcUrl, chainId }: Pick<DevnetNode, 'rpcUrl' | 'chainId'>,
  url: string,
  { senders, perSecond, prepare }: RequestAttack,
  progress: (line: string) => void,
): Promise<Measured> {
  let addresses = 0
  const nextAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`
  const ask = async (path: string, from: string, init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
    const response = await fetch(url + path, { ...init, headers })
    await response.arrayBuffer()
    return response.status
  }
  const post = (path: string, body: object, from: string) =>
    ask(path, from, { method: 'POST', body: JSON.stringify(body) })
  const { create, build } = endpoints.smartAccount
  let value = 0
  const buildFor = (walletAddress: string, from: string, network = chainId) =>
    post(
      build.path,
      {
        network: String(network),
        walletAddress,
        transactionDetails: [{ ...paid, value: String(value++) }],
      },
      from,
    )

  const [victim, attacker, ...others] = ownersFrom(700, callers + 2)
  if (!victim || !attacker) throw new TypeError('There are two')
  const owners = [victim, ...others]
  const chain = createChain(rpcUrl)
  await fund(chain, owners)
  await deploy(chain, owners)
  for (const owner of owners) await post(create.path, { eoaAddress: owner.address }, nextAddress())

  const sendOnce = await prepare({
    victim: accountOf(victim),
    attacker,
    nextAddress,
    post,
    get: ask,
    build: buildFor,
  })
  const sources = Array.from({ length: senders }, nextAddress)
  async function attack(signal: AbortSignal): Promise<void> {
    const sending: Promise<unknown>[] = []
    // Sent one after the other: concurrent requests would be a burst, not a rate.
    const send = async (from: string, index: number) => {
      await delay((1_000 / perSecond / senders) * index)
      for (let count = 0; !signal.aborted; count++) {
        sending.push(sendOnce(from, count))
        await delay(1_000 / perSecond)
      }
    }
    await Promise.all(sources.map(send))
    await Promise.all(sending)
  }

  let failed = 0
  async function measureRound(): Promise<number[]> {
    const until = performance.now() + roundLength
    const times = await Promise.all(
      others.map(async (owner) => {
        const own: number[] = []
        while (performance.now() < until) {
          const { ms, value: status } = await timed(() => buildFor(accountOf(owner), nextAddress()))
          own.push(ms)
          if (status !== 200) failed++
        }
        return own
      }),
    )
    return times.flat()
  }

  await measureRound() // warm-up
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
