import { findEndpoint } from '../../platform/endpoint-list.ts'
import { calledNames } from './called-names.ts'

/** What anyone may ask besides endpoints: how to talk to the service. */
const openPages = [/^\/$/, /^\/openapi\.json$/, /^\/docs(\/|$)/]

/** True for what nobody needs credentials for. */
export function isOpen(path: string): boolean {
  if (openPages.some((page) => page.test(path))) return true
  const names = calledNames(path)
  return names.length > 0 && names.every((name) => findEndpoint(name)?.access.anonymous === 'allowed')
}
