import { type CallCost, costTable, LanyardError, type RateBucket } from '@lanyard/contracts'
import type { OpenDatabase } from '@lanyard/database'
import { isProven } from '@lanyard/networks'
import type { Logger } from 'pino'
import { type Caller, groupOf } from '../../domain/accounts/callers/caller.ts'
import type { Env } from '../../platform/environment/env.ts'
import { createAdmission } from '../../platform/load/admission.ts'
import { createLoopLag } from '../../platform/load/loop-lag.ts'
import type { Meter, ReservedSpace } from '../../platform/load/meter.ts'
import { createProcessorShares } from '../../platform/load/processor-shares.ts'
import type { Slot } from '../../platform/load/slots.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { RecentMap } from '../../platform/recent-map.ts'
import { createAllowances, type Holder } from './allowances.ts'
import { costOf, depositForBody } from './prices.ts'
import { createStorageQuotas } from './storage-quotas.ts'
import { syncUsage } from './sync-usage.ts'

/** Bytes from which on a body is large: its hashing and encoding is noticeable. */
const largeBody = 16 * 1024

/** A minute's allowance may be used at once. */
const window = 60_000

/** Bytes of a row besides its answer, and of the longest answer that a call usually has. */
const rowBytes = 512
const answerBytes = 2_048

/** How much more than one address a whole network of addresses may use. */
const networkFactor = 4

/**
 * The calls of one group may use this many times what its address is refilled, so that a burst is spread: a
 * quarter of a processor with the default of production.
 */
const paceFactor = 2.5

/** Milliseconds of this pace that may run or be used at once: a new caller's burst, which everybody else meets. */
const paceSpan = 400

/** The least pace, in milliseconds of one processor in a millisecond. */
const minPace = 0.25

/** The part of a burst that one process keeps for itself before replicas share it. */
const sharedPace = 0.5

/** What a call reserves of the pace: four of them run at once, or one with a large body. */
const placeSize = 25
const largePlaceSize = 100

/** What a call may cost at most that is not simulated. More than that, and the first call of a group runs alone. */
const usualMost = costTable.reads.most

/** Milliseconds that a usual simulation takes: 2 million gas. */
const usualSimulation = 8

/** What simulations are expected to cost falls to this part with each one that is cheaper. */
const forgetting = 0.7

/** Callers whose last simulations are remembered. */
const rememberedCallers = 4_096

export interface StartedCall {
  readonly meter: Meter
  /**
   * Waits until the call may start.
   *
   * @param person - one of those who share an address or key; absent: unknown
   * @throws RATE_LIMITED, also when the caller has left
   */
  start(person?: string): Promise<void>
  /** Charges bytes of a response that stays open. @throws RATE_LIMITED when the caller has used its allowance */
  send(bytes: number): void
  /** The response is closed: charges what the call used, when its work has ended. Only the first time counts. */
  end(bytes: Bytes): void
}

/** What `send` has not charged yet. */
interface Bytes {
  readonly received: number
  readonly sent: number
}

interface CallToCharge {
  readonly caller: Caller
  /** The counters of its calls. */
  readonly buckets: readonly RateBucket[]
  /** Bytes of the body, or the most that are read if it does not say. */
  readonly bodyBytes: number
  readonly isGone: () => boolean
}

interface CostHolder extends Holder {
  readonly kind: 'address' | 'key' | 'network'
}

/** What calls cost, and who may still start one. */
export interface CallCosts {
  /**
   * Reserves what a call may cost.
   *
   * @throws RATE_LIMITED when the caller, or its network of addresses, has used its allowance
   */
  begin(call: CallToCharge): StartedCall
  /**
   * Reserves space for the answer to a call with an Idempotency-Key.
   *
   * @throws RATE_LIMITED when the answers of the caller, or of its network of addresses, take too much
   */
  keepAnswer(caller: Caller): ReservedSpace
}

interface Dependencies {
  readonly env: Pick<
    Env,
    'RATE_LIMITS' | 'RATE_LIMIT_COST' | 'RATE_LIMIT_KEY_FACTOR' | 'RATE_LIMIT_BUILD_BYTES' | 'NODE_ENV'
  >
  readonly pool: OpenDatabase['pool']
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'addGauge' | 'countCost' | 'countExhausted'>
  readonly closing: AbortSignal
}

/** Milliseconds a minute. Nobody else is slowed down on a machine of one's own. */
const defaultCost = (env: Pick<Env, 'NODE_ENV'>) => (env.NODE_ENV === 'production' ? 6_000 : 60_000)

export function createCallCosts({ env, pool, log, metrics, closing }: Dependencies): CallCosts {
  const allowances = createAllowances()
  const shares = createProcessorShares()
  const lag = createLoopLag()
  /** PGlite computes in this thread, where it is measured. */
  const isServer = pool !== undefined
  const paceUsages = createAllowances({ shareFrom: sharedPace })
  const admission = createAdmission(lag, paceUsages)
  metrics.addGauge({
    name: 'waiting_calls',
    help: 'Calls that wait to start: for others of their network or key, large ones, simulations of unknown callers, and under lag those of callers who cost much',
    labels: [],
    read: async () => [{ labels: {}, value: admission.waiting }],
  })
  const perMinute = env.RATE_LIMIT_COST ?? defaultCost(env)
  const allowanceOf = (factor: number) => ({
    size: perMinute * factor,
    refill: (perMinute * factor) / window,
  })
  const factors = { address: 1, key: env.RATE_LIMIT_KEY_FACTOR, network: networkFactor }
  const byKind = {
    address: allowanceOf(factors.address),
    key: allowanceOf(factors.key),
    network: allowanceOf(factors.network),
  }

  const paceOf = (factor: number) => {
    const refill = Math.max(minPace, allowanceOf(factor).refill * paceFactor)
    return { size: refill * paceSpan, refill }
  }
  /** All addresses of a network share the pace of one. */
  const paces = { address: paceOf(1), key: paceOf(env.RATE_LIMIT_KEY_FACTOR) }
  const paceGroupOf = ({ kind, name }: Caller) => ({
    name: `${kind}:${groupOf({ kind, name })}`,
    pace: paces[kind],
  })

  /** What each person used, of those who share an address or key: who used least goes first. */
  const people = createAllowances()
  /** Milliseconds that the next simulation of a person is expected to take. */
  const simulations = new RecentMap<string, number>(rememberedCallers)
  const gasCost = (gas: bigint) => costOf({ processor: 0, received: 0, sent: 0, gas })
  const simulated = ({ name }: Holder, gas: bigint, kept = 1) =>
    simulations.set(name, Math.max(gasCost(gas), (simulations.get(name) ?? 0) * kept))
  /** Undefined: nothing is known. */
  const simulationOf = ({ name }: Holder): number | undefined => {
    const last = simulations.get(name)
    return last === undefined ? undefined : last / usualSimulation
  }

  const space = createAllowances()
  if (pool) {
    for (const shared of [allowances, paceUsages, space]) syncUsage(shared, { pool, log, closing })
  }
  const holder = (kind: keyof typeof byKind, name: string): CostHolder => ({
    kind,
    name: `${kind}:${name}`,
    allowance: byKind[kind],
  })
  function holdersOf({ kind, name }: Caller): readonly CostHolder[] {
    const own = holder(kind, name)
    return kind === 'key' ? [own] : [own, holder('network', groupOf({ kind, name }))]
  }

  const holderOfPerson = ({ kind, name }: Caller, person = 'unknown'): Holder => ({
    name: `person:${name} ${person}`,
    allowance: byKind[kind],
  })

  const reserve = createStorageQuotas({
    env,
    space,
    holdersOf,
    factors,
    onRefused: (kind) => metrics.countExhausted({ holder: kind }),
  })

  return {
    keepAnswer(caller) {
      if (env.RATE_LIMITS === 'off') return { charge: () => {}, release: () => {} }
      const { charge, release } = reserve('answers', caller, rowBytes + answerBytes)
      return { charge: (length) => charge(rowBytes + length), release }
    },
    begin({ caller, buckets, bodyBytes, isGone }) {
      const holders = holdersOf(caller)
      const calls = [...buckets]
      const sum = (part: keyof CallCost, summed: readonly RateBucket[] = calls) =>
        summed.reduce((total, bucket) => total + costTable[bucket][part], 0)
      const take = (deposit: number) => {
        const taken = allowances.take(holders, deposit)
        if ('settle' in taken) return taken
        metrics.countExhausted({ holder: taken.holder.kind })
        throw exhausted(taken.wait)
      }
      const deposit = sum('deposit') + depositForBody(bodyBytes)
      const taken = take(deposit)
      /** Returns the deposits of the calls that the body named. */
      const returns: (() => void)[] = []
      const name = `${caller.kind}:${caller.name}`
      const paceGroup = paceGroupOf(caller)
      let person = holderOfPerson(caller)
      const usedPart = (now: number) =>
        Math.max(...holders.map((one) => allowances.usedPart(one, now))) + people.usedPart(person, now)
      const share = shares.begin(1 + Math.ceil(bodyBytes / 1024))
      let unwatch = lag.watch()
      let gas = 0n
      let elsewhere = 0
      let slot: Slot | undefined
      /** Set when the response is closed. */
      let bytes: Bytes | undefined
      let works = 0
      let isEnded = false
      /** A caller that leaves does not end the work, so its slot and its deposit stay with it. */
      const endIfDone = () => {
        if (isEnded || bytes === undefined || works > 0) return
        isEnded = true
        unwatch()
        const processor = share.end() + elsewhere + (isServer ? sum('database') : 0)
        const cost = Math.min(costOf({ processor, gas, ...bytes }), sum('most'))
        taken.settle(cost)
        for (const giveBack of returns) giveBack()
        people.of(person).add(cost)
        if (gas > 0n) simulated(person, gas, forgetting)
        slot?.end(cost)
        metrics.countCost({ bucket: buckets[0] ?? 'calls', seconds: cost / 1000 })
      }
      return {
        meter: {
          nodeUser: () => ({
            path: [paceGroup.name, name, person.name],
            cost: simulationOf(person),
          }),
          addCalls(more) {
            const { settle } = take(sum('deposit', more))
            returns.push(() => settle(0))
            calls.push(...more)
          },
          addGas(more) {
            gas += more
            // The next ones of this person do not wait for the end of the call.
            simulated(person, gas)
          },
          addTime(more) {
            elsewhere += more
          },
          reserveSpace: (kind, bytes) => reserve(kind, caller, bytes),
          pause() {
            unwatch()
            const resumes = [share.pause(), slot?.pause()]
            return () => {
              if (isEnded) return
              unwatch = lag.watch()
              for (const resume of resumes) resume?.()
            }
          },
          work() {
            if (isEnded) throw gone()
            works++
            let isDone = false
            return () => {
              if (isDone) return
              isDone = true
              works--
              endIfDone()
            }
          },
        },
        async start(who) {
          person = holderOfPerson(caller, who)
          const resume = share.pause()
          const isLarge = bodyBytes > largeBody
          const maySimulate = sum('most') > usualMost
          const entered = await admission.enter({
            group: paceGroup,
            deposit: Math.max(deposit, isLarge ? largePlaceSize : placeSize),
            unknownCost: maySimulate ? largePlaceSize : placeSize,
            isUnproven: () => maySimulate && !isProven({ cost: simulationOf(person) }),
            usedPart,
            isLarge,
            isGone,
          })
          if (isEnded) {
            entered.end()
            throw gone()
          }
          slot = entered
          resume()
        },
        send(sent) {
          take(0).settle(costOf({ processor: 0, received: 0, sent, gas: 0n }))
        },
        end(more) {
          bytes ??= more
          endIfDone()
        },
      }
    },
  }
}

/** Nobody reads this answer. */
const gone = () => new LanyardError('RATE_LIMITED', { message: 'The caller has left.' })

const exhausted = (wait: number) =>
  new LanyardError('RATE_LIMITED', {
    message: 'Your calls have used their share of the service. Wait, or send smaller requests.',
    details: { retryAfter: Math.max(1, Math.ceil(wait / 1000)) },
  })
