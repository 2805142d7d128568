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
}

const holders: Readonly<Record<string, string>> = {
  account: 'each account',
  caller: 'each caller',
  apiKey: 'each API key',
}

/** What a part means while the policy does not have it. */
const absent = (path: string): string =>
  path.startsWith('budgets.') ? 'no limit' : path === 'description' || path === 'paymaster' ? 'none' : 'any'

/** `budgets.account.day.wei`: cost for each account in a day. */
function nameOf(path: string): string {
  const [, holder, span, unit] = /^budgets\.(?:(\w+)\.)?(day|total)\.(wei|operations)$/.exec(path) ?? []
  if (span === undefined) return names[path] ?? path
  const whose = holder === undefined ? 'all accounts' : (holders[holder] ?? holder)
  return `${unit === 'wei' ? 'cost' : 'operations'} for ${whose} ${span === 'day' ? 'in a day' : 'in total'}`
}

function textOf(path: string, value: unknown): string {
  if (value === undefined) return absent(path)
  if (path === 'budgets.operation' || path.endsWith('.wei')) {
    const coins = formatEther(BigInt(String(value)))
    return `${coins} ${coins === '1' ? 'coin' : 'coins'}`
  }
  if (typeof value === 'boolean') return value ? 'allowed' : 'not allowed'
  if (Array.isArray(value)) {
    return value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')
  }
  return String(value)
}

type Parts = ReadonlyMap<string, unknown>

/** Every part of a policy by its path. Lists are one part. */
function partsOf(policy: GasPolicy): Parts {
  const [draft] = (JSON.parse(toDraft([policy])) as { policies: [Record<string, unknown>] }).policies
  const parts = new Map<string, unknown>()
  const add = (path: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) parts.set(path, value)
    else for (const [key, one] of Object.entries(value)) add(path === '' ? key : `${path}.${key}`, one)
  }
  add('', draft)
  parts.delete('id')
  return parts
}

/** How policies differ from those before, one sentence for each difference; a condition that is gone matches any. */
export function describePolicyChanges(before: readonly GasPolicy[], after: readonly GasPolicy[]): string[] {
  const [old, next] = [before, after].map((list) => new Map(list.map((one) => [one.id, partsOf(one)])))
  if (!old || !next) return []
  const changes: string[] = []
  for (const { id, effect } of before) {
    if (!next.has(id)) changes.push(`${id} ends: it ${effect === 'allow' ? 'paid' : 'denied'}.`)
  }
  for (const { id, effect } of after) {
    const [earlier, parts] = [old.get(id), next.get(id) ?? new Map()]
    if (earlier) {
      for (const path of new Set([...earlier.keys(), ...parts.keys()])) {
        const [was, is] = [textOf(path, earlier.get(path)), textOf(path, parts.get(path))]
        if (was !== is) changes.push(`${id}: ${nameOf(path)}: ${is}, instead of ${was}.`)
      }
    } else {
      changes.push(`${id} is new: it ${effect === 'allow' ? 'pays' : 'denies'}.`)
      for (const [path, value] of parts)
        if (path !== 'effect') changes.push(`${id}: ${nameOf(path)}: ${textOf(path, value)}.`)
    }
  }
  const kept = (list: readonly GasPolicy[], other: Map<string, Parts>) =>
    list.map(({ id }) => id).filter((id) => other.has(id))
  if (kept(before, next).join() !== kept(after, old).join()) {
    changes.push(`The order is ${after.map(({ id }) => id).join(', ')}: the first that matches pays.`)
  }
  return changes
}
