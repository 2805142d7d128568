import { startRegistration } from '@simplewebauthn/browser'
import { trpc } from './trpc.ts'

/** The schema has `string` where the library has the standard's literals. */
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Makes another passkey of the operator. One that they have already confirms it. */
export async function addPasskey(): Promise<void> {
  const options = await trpc.session.passkeyOptions.mutate()
  const { id, rawId, response } = await startRegistration({ optionsJSON: options as CreationOptions })
  await trpc.session.addPasskey.mutate({ response: { id, rawId, type: 'public-key', response } })
}
