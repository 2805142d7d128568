/** What Node 20 lacks of the language, as later versions have it. The service is written for the Node of its repository. */
import { setMaxListeners } from 'node:events'
import process from 'node:process'

type GroupBy = <Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => PropertyKey) => object

const groups = <Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => Key,
): Map<Key, Item[]> => {
  const grouped = new Map<Key, Item[]>()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    const group = grouped.get(key)
    if (group) group.push(item)
    else grouped.set(key, [item])
  }
  return grouped
}

const add = (owner: object, name: string, value: unknown) => {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true })
}

add(Map, 'groupBy', groups)
// https://tc39.es/ecma262/#sec-object.groupby: an object without a prototype.
add(Object, 'groupBy', ((items, keyOf) =>
  Object.assign(Object.create(null), Object.fromEntries(groups(items, keyOf)))) satisfies GroupBy)
add(Promise, 'withResolvers', () => {
  let resolve: unknown
  let reject: unknown
  const promise = new Promise((toResolve, toReject) => {
    resolve = toResolve
    reject = toReject
  })
  return { promise, resolve, reject }
})
add(Set.prototype, 'union', function union(this: Set<unknown>, other: Iterable<unknown>) {
  return new Set([...this, ...other])
})
// Of all threads instead of this one: requests are then charged a little more than they cost.
add(process, 'threadCpuUsage', (since?: NodeJS.CpuUsage) => process.cpuUsage(since))
// Later versions do not count the listeners of an AbortSignal: all that runs in a service hears of its end.
if (process.versions.node.startsWith('20.')) setMaxListeners(0)
