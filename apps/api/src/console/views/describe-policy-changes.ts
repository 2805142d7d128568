import type { Networks } from '@lanyard/networks'
import { formatEther } from 'viem'
import type { GasPolicy } from '../../domain/gas-policies/gas-policy.ts'
import { toDraft } from '../../domain/gas-policies/live-policies.ts'

/** What people call the parts of a policy; the path in the file, for any other. */
const names: Readonly<Record<string, string>> = {
  effect: 'effect',
  description: 'description',
  callGas: 'call gas of one operation',
  anyBundler: 'operations through other bundlers',
  paymaster: 'paymaster',
  apiKeys: 'API keys',
  networks: 'networks',
  accounts: 'accounts',
  accountKinds: 'kinds of accounts',
  users: 'users',
  calls: 'calls',
  validFrom: 'begins',
  validUntil: 'ends',
  'budgets.operation': 'cost of one operation',
  'charge.token': 'token for the gas',
  'charge.markup': 'markup, percent',
  'charge.price.min': 'lowest price of a coin, tokens',
  'charge.price.max': 'highest price of a coin, tokens',
}

const holders: Readonly<Record<string, string>> = {
  account: 'each account',
  caller: 'each caller',
  apiKey: 'each API key',
}

/** What a part means while the policy does not have it. */
const absent = (path: string): string =>
  path.startsWith('budgets.') || path.startsWith('charge.price.')
    ? 'no limit'
    : ['description', 'paymaster', 'charge.token', 'charge.markup'].includes(path)
      ? 'none'
      : 'any'

/** `budgets.account.day.wei`: cost for each account in a day. */
function nameOf(path: string): string {
  const [, holder, span, unit] = /^budgets\.(?:(\w+)\.)?(day|total)\.(wei|operations)$/.exec(path) ?? []
  if (span === undefined) return names[path] ?? path
  const whose = holder === undefined ? 'all accounts' : (holders[holder] ?? holder)
  return `${unit === 'wei' ? 'cost' : 'operations'} for ${whose} ${span === 'day' ? 'in a day' : 'in total'}`
}

/** What the networks call themselves and their coins. */
export interface NetworkWords {
  readonly names: ReadonlyMap<number, string>
  /** Of every network; undefined if they differ. */
  readonly symbol: string | undefined
}

export function wordsOf(networks: Networks): NetworkWords {
  const list = networks.list()
  const symbols = new Set(list.map(({ config }) => config.nativeCurrency.symbol))
  return {
    names: new Map(list.map(({ chainId, config }) => [chainId, config.name])),
    symbol: symbols.size === 1 ? [...symbols][0] : undefined,
  }
}

const noWords: NetworkWords = { names: new Map(), symbol: undefined }

/** Members with texts that people choose. In quotes, a key called "any" is not the word any. */
const chosenTexts = ['description', 'apiKeys', 'users']

/** A value, or one of a list, in the words of the form. */
function textOf(path: string, value: unknown, { names: networks, symbol }: NetworkWords): string {
  if (chosenTexts.includes(path)) return JSON.stringify(value)
  if ((path === 'budgets.operation' || path.endsWith('.wei')) && /^\d+$/.test(String(value))) {
    const coins = formatEther(BigInt(String(value)))
    return `${coins} ${symbol ?? (coins === '1' ? 'coin' : 'coins')}`
  }
  if (path === 'networks') {
    const name = networks.get(Number(value))
    return name === undefined ? String(value) : `${name} (${value})`
  }
  if (typeof value === 'boolean') return value ? 'allowed' : 'not allowed'
  if (path === 'effect') return value === 'allow' ? 'pays' : 'denies'
  return path === 'calls' ? describeRule(value) : String(value)
}

/** Texts by the JSON of what they show: different values may have the same text. */
type Texts = ReadonlyMap<string, string>

/** The text of a value, or of each one of a list. */
export function toTexts(value: unknown, toText: (one: unknown) => string): Texts {
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return new Map(list.map((one) => [JSON.stringify(one), toText(one)]))
}

export const textsWithout = (texts: Texts, others: Texts): string[] =>
  [...texts].filter(([value]) => !others.has(value)).map(([, text]) => text)

const textsOf = (path: string, value: unknown, words: NetworkWords) =>
  toTexts(value, (one) => textOf(path, one, words))

/** `transfer(address,uint256) of 0x…`, as far as a rule says it. */
function describeRule(rule: unknown): string {
  const { contract, functions }: { contract?: string; functions?: readonly string[] } = Object(rule)
  const what = functions?.map((selector) => (selector === '0x' ? 'plain transfers' : selector)).join(' or ')
  return contract === undefined ? `${what} of any contract` : `${what ?? 'any function'} of ${contract}`
}

type Parts = ReadonlyMap<string, unknown>

/** Every part of a policy by its path, as a draft has it. Lists are one part. */
function partsOf(draft: Record<string, unknown>): Parts {
  const parts = new Map<string, unknown>()
  const add = (path: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) parts.set(path, value)
    else for (const [key, one] of Object.entries(value)) add(path === '' ? key : `${path}.${key}`, one)
  }
  add('', draft)
  parts.delete('id')
  return parts
}

/** A member of a policy that differs. */
export interface MemberChange {
  /** Its path in the file: `budgets.day.wei`. */
  readonly path: string
  readonly name: string
  /** What went, and what came: of a list only these, of any other value all of it. Empty if there was no such condition. */
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** What it means if the policy does not have it: `any`, `no limit`. */
  readonly absent: string
  /** Whether the policy had it, and has it. */
  readonly was: boolean
  readonly is: boolean
}

export interface PolicyChange {
  readonly policy: string
  readonly kind: 'new' | 'changed' | 'gone'
  /** Of a new one among those after, from 1 on: the first that matches pays. */
  readonly position: number | null
  readonly members: readonly MemberChange[]
  /** Members that are as before. */
  readonly same: number
}

const draftsOf = (policies: readonly GasPolicy[]) =>
  (JSON.parse(toDraft(policies)) as { policies: Record<string, unknown>[] }).policies

/** How policies differ from those before, in the words of the form; a condition that is gone matches any. */
export const findPolicyChanges = (
  before: readonly GasPolicy[],
  after: readonly GasPolicy[],
  words: NetworkWords = noWords,
) => findDraftChanges(draftsOf(before), draftsOf(after), words)

/** As {@link findPolicyChanges}, of policies as a draft and the audit log have them. */
export function findDraftChanges(
  before: readonly Record<string, unknown>[],
  after: readonly Record<string, unknown>[],
  words: NetworkWords,
): PolicyChange[] {
  const byId = (list: typeof before) => new Map(list.map((one) => [String(one.id), partsOf(one)]))
  const [old, next] = [byId(before), byId(after)]
  const none: Parts = new Map()
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((policy): PolicyChange[] => {
    const [earlier, later] = [old.get(policy), next.get(policy)]
    const paths = [...new Set([...(earlier ?? none).keys(), ...(later ?? none).keys()])]
    const members = paths.flatMap((path) =>
      changeOf(path, (earlier ?? none).get(path), (later ?? none).get(path), words),
    )
    if (members.length === 0) return []
    const kind = !earlier ? 'new' : !later ? 'gone' : 'changed'
    const position = kind === 'new' ? [...next.keys()].indexOf(policy) + 1 : null
    return [{ policy, kind, position, members, same: paths.length - members.length }]
  })
}

function changeOf(path: string, before: unknown, after: unknown, words: NetworkWords): MemberChange[] {
  const [was, is] = [textsOf(path, before, words), textsOf(path, after, words)]
  const [removed, added] = [textsWithout(was, is), textsWithout(is, was)]
  if (removed.length === 0 && added.length === 0 && (before === undefined) === (after === undefined))
    return []
  const shared = { path, name: nameOf(path), absent: absent(path) }
  return [{ ...shared, removed, added, was: before !== undefined, is: after !== undefined }]
}

/** The same in sentences, one for each difference. */
export function describePolicyChanges(
  before: readonly GasPolicy[],
  after: readonly GasPolicy[],
  words: NetworkWords = noWords,
): string[] {
  const texts = new Map(
    [
      ...draftsOf(before).map((one) => ['was', one] as const),
      ...draftsOf(after).map((one) => ['is', one] as const),
    ].map(([when, one]) => [`${when} ${String(one.id)}`, partsOf(one)]),
  )
  const sayValue = (when: 'was' | 'is', policy: string, { path, absent: none }: MemberChange) => {
    const text = [...textsOf(path, texts.get(`${when} ${policy}`)?.get(path), words).values()].join(', ')
    return text === '' ? none : text
  }
  const changes = findPolicyChanges(before, after, words).flatMap(
    ({ policy, kind, position, members }): string[] => {
      const effect = members.find(({ path }) => path === 'effect')
      if (kind === 'gone') return [`${policy} ends: it ${effect?.removed[0] === 'pays' ? 'paid' : 'denied'}.`]
      if (kind === 'changed') {
        return members.map(
          (member) =>
            `${policy}: ${member.name}: ${sayValue('is', policy, member)}, instead of ${sayValue('was', policy, member)}.`,
        )
      }
      return [
        `${policy} is new, as number ${position} of ${after.length}: it ${effect?.added[0]}.`,
        ...members
          .filter(({ path }) => path !== 'effect')
          .map((member) => `${policy}: ${member.name}: ${sayValue('is', policy, member)}.`),
      ]
    },
  )
  const kept = (list: readonly GasPolicy[], other: readonly GasPolicy[]) =>
    list.map(({ id }) => id).filter((id) => other.some((one) => one.id === id))
  if (kept(before, after).join() !== kept(after, before).join()) {
    changes.push(`The order is ${after.map(({ id }) => id).join(', ')}: the first that matches pays.`)
  }
  return changes
}
