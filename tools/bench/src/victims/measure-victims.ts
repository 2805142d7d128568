import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@lanyard/contracts'
import { zeroAddress } from 'viem'
import { exchange } from '../programs/exchange.ts'
import { paymentOf } from '../wallets/ours.ts'
import type { AttackerOrder, AttackerReport } from './attacker.ts'
import type { Attack, SlowAttack } from './attacks.ts'
import { type Fixture, victimCount } from './victims-fixture.ts'

/** Milliseconds of one slice, quiet or attacked. */
export const sliceLength = 6_000
const slices = 3

/** Milliseconds between two builds of one victim. */
const pause = 1_000

interface Slices {
  /** When a build was due, since the start of its slice, and how long it took from then on: milliseconds. */
  readonly builds: { readonly at: number; readonly ms: number }[]
  /** The number of builds by status, with the code of an error. */
  readonly statuses: Record<string, number>
  /** What each program computed, in milliseconds. */
  readonly processor: Record<string, number>
  seconds: number
}

export interface MeasuredVictims {
  readonly quiet: Slices
  readonly attacked: Slices
  /** While the same attack hits another deployment on the same machine. */
  readonly elsewhere?: Slices
  /** The attacker's requests by status. */
  readonly attacker: AttackerReport
}

/** Each measurement has victims from other addresses, since an address may keep 64 builds of a wallet. */
let measurements = 0

/** Each attacker comes from another network. */
let attackers = 0

/**
 * Victims build once a second each, in alternating slices with and without an attack. A build counts from the
 * moment it is due. Each attacked slice has another attacker, whose allowances are full.
 *
 * @param other - another deployment: what its attack costs the victims of the first one, they wait for the machine
 */
export async function measureVictims(
  fixture: Fixture,
  attack: Attack,
  other?: Fixture,
): Promise<MeasuredVictims> {
  measurements++
  const orderFrom = await ordersOf(fixture, attack)
  const orderOther = other && (await ordersOf(other, attack))
  const attacker = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)))
  const agent = new Agent({ keepAlive: true })
  const order = (given: AttackerOrder) => attacker.send(given)
  const report: Record<number, number> = {}
  const kinds = { quiet: newSlices(), attacked: newSlices(), ...(other && { elsewhere: newSlices() }) }

  async function attackWhile(measure: () => Promise<void>, orderFor = orderFrom): Promise<void> {
    const group = attackers++ & 255
    const addresses = attack.networks
      ? Array.from({ length: attack.networks }, (_, network) => `172.${16 + (group & 15)}.${network}.1`)
      : Array.from({ length: attack.isNetwork ? 250 : 1 }, (_, last) => `${group}.${last + 1}`)
    order(orderFor(addresses))
    await measure()
    const reported = once(attacker, 'message')
    order('stop')
    const [statuses] = (await reported) as [AttackerReport] // the message of attacker.ts
    for (const [status, count] of Object.entries(statuses))
      if (orderFor === orderFrom) report[Number(status)] = (report[Number(status)] ?? 0) + count
  }

  try {
    const visitors = isSlow(attack) ? visitorsOfProxy(proxyOf(fixture)) : visitorsOf(fixture.urls)
    const measure = (into: Slices) => measureSlice(fixture, { ...visitors, agent }, into)
    await measure(newSlices()) // warm-up
    for (let slice = 0; slice < slices; slice++) {
      await measure(kinds.quiet)
      await attackWhile(() => measure(kinds.attacked))
      const { elsewhere } = kinds
      if (elsewhere) await attackWhile(() => measure(elsewhere), orderOther)
    }
  } finally {
    attacker.kill()
    agent.destroy()
  }
  return { ...kinds, attacker: report }
}

const isSlow = (attack: Attack): attack is SlowAttack => 'held' in attack

/** Requests that an attacker keeps open at once. */
const usuallyAtOnce = 32

/** What the attacker is told, by the last two bytes of its addresses. */
async function ordersOf(fixture: Fixture, attack: Attack) {
  const { ground, urls, headers } = fixture
  const from = (network: string, addresses: readonly string[]) => addresses.map((one) => `${network}.${one}`)
  if (isSlow(attack)) {
    return (addresses: readonly string[]): AttackerOrder => ({
      ...attack.held,
      url: proxyOf(fixture),
      addresses: from('127.18', addresses),
    })
  }
  const begin = await attack.prepare(ground)
  return (addresses: readonly string[]): AttackerOrder => ({
    begin,
    urls,
    addresses: attack.networks ? addresses : from('198.18', addresses),
    headers,
    atOnce: Math.max(usuallyAtOnce, 2 * (attack.networks ?? 0)),
  })
}

function proxyOf({ proxy }: Fixture): string {
  if (!proxy) throw new Error('Slow clients need nginx.')
  return proxy.url
}

/** Where visitors send their requests, and what names their addresses. */
interface Visitors {
  readonly urls: readonly string[]
  readonly from: (victim: number) => {
    readonly headers?: Readonly<Record<string, string>>
    readonly localAddress?: string
  }
}

/** The service believes the header: the bench is its proxy. */
const visitorsOf = (urls: readonly string[]): Visitors => ({
  urls,
  from: (victim) => ({ headers: { 'x-forwarded-for': `10.${measurements}.${victim}.1` } }),
})

/** The proxy says where a connection comes from. */
const visitorsOfProxy = (proxy: string): Visitors => ({
  urls: [proxy],
  from: (victim) => ({ localAddress: `127.${100 + measurements}.${victim}.1` }),
})

const newSlices = (): Slices => ({ builds: [], statuses: {}, processor: {}, seconds: 0 })

interface Sending extends Visitors {
  readonly agent: Agent
}

async function measureSlice(fixture: Fixture, sending: Sending, into: Slices): Promise<void> {
  const { victims } = fixture
  const began = performance.now()
  const one = async (victim: number, count: number) => {
    const due = began + pause * (count + victim / victimCount)
    await delay(Math.max(0, due - performance.now()))
    const status = await build(fixture, sending, victim, count)
    into.builds.push({ at: due - began, ms: performance.now() - due })
    into.statuses[status] = (into.statuses[status] ?? 0) + 1
  }
  const counts = Array.from({ length: sliceLength / pause }, (_, count) => count)
  const before = fixture.processorTimes()
  await Promise.all(victims.flatMap((_, victim) => counts.map((count) => one(victim, count))))
  for (const [program, used] of Object.entries(fixture.processorTimes())) {
    into.processor[program] = (into.processor[program] ?? 0) + used - (before[program] ?? 0)
  }
  into.seconds += (performance.now() - began) / 1_000
}

/** @returns the status, with the code of an error; 0 for a broken connection */
async function build(
  { victims, headers }: Fixture,
  { urls, from, agent }: Sending,
  victim: number,
  count: number,
): Promise<string> {
  const body = JSON.stringify(paymentOf(victims[victim] ?? zeroAddress, BigInt(count + 1)))
  const { localAddress, headers: named } = from(victim)
  const url = urls[(count + victim) % urls.length] ?? ''
  try {
    const answer = await exchange(url + endpoints.smartAccount.build.path, {
      ...{ agent, body, headers: { ...headers, ...named } },
      ...(localAddress !== undefined && { localAddress }),
    })
    return answer.status === 200 ? '200' : `${answer.status} ${JSON.parse(answer.text).code}`
  } catch {
    return '0'
  }
}
