import type { AuditEntry } from '../../platform/audit/entry.ts'
import {
  findDraftChanges,
  type MemberChange,
  type NetworkWords,
  textsWithout,
  toTexts,
} from './describe-policy-changes.ts'
import { escapeInvisible } from './escape-invisible.ts'

/** A member that changed, and the policy that it is of. */
type ShownChange = MemberChange & { readonly of: string | null }

/** An act with what it changed. */
export interface EntryView
  extends Pick<AuditEntry, 'position' | 'at' | 'actor' | 'source' | 'act' | 'subject' | 'hash'> {
  /** Who that is at the identity provider; null without one. */
  readonly identity: string | null
  readonly changes: readonly ShownChange[]
  /** Members that are as before. */
  readonly same: number
  /** The states before and after as they are recorded; null without one. */
  readonly before: string | null
  readonly after: string | null
}

export function describeEntry(entry: AuditEntry, words: NetworkWords): EntryView {
  const { position, at, actor, source, act, subject, hash, identity, before, after } = entry
  const { changes, same } =
    act === 'policies.edit' ? ofPolicies(before, after, words) : ofMembers(before, after)
  const text = (value: unknown) => (value === null ? null : escapeInvisible(JSON.stringify(value, null, 2)))
  return {
    ...{ position, at, act, hash, same },
    ...{ actor: escapeInvisible(actor), source: escapeInvisible(source), subject: escapeInvisible(subject) },
    identity: identity === undefined ? null : escapeInvisible(nameOf(identity)),
    changes: changes.map((change) => ({
      ...change,
      name: escapeInvisible(change.name),
      removed: change.removed.map(escapeInvisible),
      added: change.added.map(escapeInvisible),
    })),
    ...{ before: text(before), after: text(after) },
  }
}

/** As the service records it: of an identity provider, or break-glass. */
function nameOf(identity: unknown): string {
  const { issuer, subject, alone }: Record<string, unknown> = Object(identity)
  if (issuer === undefined) return alone === true ? 'break-glass, alone' : 'break-glass'
  return `${String(subject)} at ${String(issuer)}`
}

interface Changes {
  readonly changes: readonly ShownChange[]
  readonly same: number
}

/** An edit of the policies records those that differ, as drafts, and the order of all. */
function ofPolicies(before: unknown, after: unknown, words: NetworkWords): Changes {
  const draftsOf = (state: unknown) => {
    const { changed }: { readonly changed?: unknown } = Object(state)
    return Array.isArray(changed) ? changed.map((one): Record<string, unknown> => Object(one)) : []
  }
  const found = findDraftChanges(draftsOf(before), draftsOf(after), words)
  const orders = [before, after].map((state) => ({ order: Reflect.get(Object(state), 'order') }))
  const [old = [], next = []] = orders.map(({ order }) => (Array.isArray(order) ? order.map(String) : []))
  const kept = (list: readonly string[], other: readonly string[]) =>
    list.filter((id) => other.includes(id)).join(', ')
  const isOrderNew = kept(old, next) !== kept(next, old) || next.some((id) => !old.includes(id))
  const order = { path: 'order', name: 'order', absent: 'none', was: true, is: true, of: null }
  return {
    changes: [
      ...found.flatMap(({ policy, members }) => members.map((member) => ({ ...member, of: policy }))),
      ...(isOrderNew ? [{ ...order, removed: [old.join(', ')], added: [next.join(', ')] }] : []),
    ],
    same: found.reduce((sum, { same }) => sum + same, 0),
  }
}

/** The members that differ, by their path; of a list only what went and came. */
function ofMembers(before: unknown, after: unknown): Changes {
  const [old, next] = [partsOf(before), partsOf(after)]
  const paths = [...new Set([...old.keys(), ...next.keys()])]
  const changes = paths.flatMap((path): ShownChange[] => {
    const [was, is] = [toTexts(old.get(path), recordedText), toTexts(next.get(path), recordedText)]
    const [removed, added] = [textsWithout(was, is), textsWithout(is, was)]
    if (removed.length === 0 && added.length === 0) return []
    const words = { path, name: path === '' ? 'state' : readable(path), absent: 'nothing', of: null }
    return [{ ...words, removed, added, was: old.has(path), is: next.has(path) }]
  })
  return { changes, same: paths.length - changes.length }
}

/** `disabledWebhooks`: disabled webhooks. */
const readable = (path: string) =>
  path
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replaceAll('.', ', ')

function partsOf(state: unknown): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>()
  const add = (path: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) parts.set(path, value)
    else for (const [key, one] of Object.entries(value)) add(path === '' ? key : `${path}.${key}`, one)
  }
  if (state !== null) add('', state)
  return parts
}

const recordedText = (one: unknown): string => (typeof one === 'object' ? JSON.stringify(one) : String(one))
