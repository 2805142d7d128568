import type { Caller } from './caller.ts'

/**
 * The group of addresses that one party can easily control: a /24, or a /48 of IPv6.
 *
 * @param name - `203.0.113.7`, or `2001:db8:0:1::/64`
 */
export function groupOf(kind: Caller['kind'], name: string): string {
  if (kind === 'key') return name
  return name.includes(':') ? name.split(':').slice(0, 3).join(':') : name.split('.').slice(0, 3).join('.')
}
