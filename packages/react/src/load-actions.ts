import { LanyardReactError } from './react-error.ts'

/**
 * Loads what creates accounts, verifies, signs and sends. A bundler keeps it out of what a page loads at first.
 *
 * @throws LanyardReactError UNREACHABLE if the file of the app does not load
 */
export const loadActions = () => import('./actions/index.ts').catch(failToLoad)

/** Loads what verifies the grant of a session key, which only some apps use. Errors are those of `loadActions`. */
export const loadGrants = () => import('./actions/read-grant.ts').catch(failToLoad)

function failToLoad(cause: unknown): never {
  throw new LanyardReactError('UNREACHABLE', { cause, what: 'A part of the app did not load.' })
}
