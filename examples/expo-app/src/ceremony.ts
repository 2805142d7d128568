import type { Ceremony } from '@lanyard/react/core'
import { Passkey } from 'react-native-passkey'

type Registration = Awaited<ReturnType<Ceremony['create']>>
type Assertion = Awaited<ReturnType<Ceremony['get']>>

/**
 * The ceremonies of the phone. Both take and return the standard's JSON. Only the declared types differ: the service ignores members
 * that a system leaves out or adds.
 */
export const ceremony: Ceremony = {
  create: (options) =>
    Passkey.create(
      options as Parameters<typeof Passkey.create>[0],
    ) as Promise<unknown> as Promise<Registration>,
  get: (options) =>
    Passkey.get(options as Parameters<typeof Passkey.get>[0]) as Promise<unknown> as Promise<Assertion>,
}
