import { Authenticator, type Tampering } from '../passkeys/authenticator.ts'
import type { CeremonyChange } from './ceremony-changes.ts'
import { operationOf } from './document.ts'
import { type Fixture, origin } from './fuzz-fixture.ts'
import type { Fuzzer } from './fuzzer.ts'
import { requireAssertion, requireRegistration } from './reference-ceremony.ts'
import type { RestRequest } from './request.ts'
import { tamperingOf } from './tampering.ts'

export const ceremonyNames = ['register', 'credential', 'authenticate', 'discover', 'transaction'] as const
export type CeremonyName = (typeof ceremonyNames)[number]

/** A ceremony with changed elements, as the corpus stores it. */
export interface Ceremony {
  readonly ceremony: CeremonyName
  readonly changes: readonly CeremonyChange[]
}

const rpId = 'localhost'

/** Signature counters up to this one are used up. */
const storedCounter = 5

const withToken = { authorization: 'Bearer {{userToken}}' }

interface Steps {
  readonly options: RestRequest
  readonly verify: Omit<RestRequest, 'body'>
  /** Returns the options for the authenticator from the answer. */
  readonly read: (answer: Record<string, unknown>) => unknown
}

const rest = (operation: string, more: Partial<RestRequest> = {}): RestRequest => ({
  transport: 'REST',
  operation,
  ...more,
})

function stepsOf(ceremony: CeremonyName, newcomer: string): Steps {
  const whole = (answer: Record<string, unknown>) => answer
  const inside = ({ passkeyAuthenticationOptions }: Record<string, unknown>) => passkeyAuthenticationOptions
  const withUsername: Pick<RestRequest, 'query'> = { query: [['username', '{{username}}']] }
  const withNewUsername: Pick<RestRequest, 'query'> = { query: [['username', newcomer]] }
  switch (ceremony) {
    case 'register':
      return {
        options: rest('webauthnRegisterOptions', withNewUsername),
        verify: rest('webauthnRegisterVerify', withNewUsername),
        read: whole,
      }
    case 'credential':
      return {
        options: rest('webauthnCredentialOptions', { headers: withToken }),
        verify: rest('webauthnCredentialVerify', { headers: withToken }),
        read: whole,
      }
    case 'authenticate':
      return {
        options: rest('webauthnAuthenticateOptions', withUsername),
        verify: rest('webauthnAuthenticateVerify', withUsername),
        read: inside,
      }
    case 'discover':
      return {
        options: rest('webauthnDiscoverOptions'),
        verify: rest('webauthnDiscoverVerify'),
        read: inside,
      }
    case 'transaction': {
      const body = {
        username: '{{username}}',
        network: '31337',
        transactionDetails: [{ targetContractAddress: '{{payee}}', value: '1', encodedData: '0x' }],
      }
      return {
        options: rest('webauthnTransactionOptions', { body }),
        verify: rest('webauthnTransactionVerify', withUsername),
        read: whole,
      }
    }
  }
}

function rejectionReason(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Runs ceremonies with the fixture's passkey and compares each verdict with the reference. */
export async function createCeremonies(fixture: Fixture, fuzzer: Fuzzer) {
  const { passkey } = fixture.user
  let count = 0
  await resetCounter()

  /** Resets the counters, so that each ceremony starts with the same ones. */
  async function resetCounter() {
    passkey.counter = storedCounter + 1
    await fixture.database
      .updateTable('credentials')
      .set({ counter: storedCounter })
      .where('id', '=', passkey.id)
      .execute()
  }

  async function sendRequest(request: RestRequest) {
    const { status, text } = await fuzzer.rest(operationOf(request.operation), request)
    return { status, body: JSON.parse(text) }
  }

  /** The response of the passkey to the options, and the reason why the reference rejects it. */
  // biome-ignore lint/suspicious/noExplicitAny: options of either ceremony, as the authenticator takes them
  function respond(ceremony: CeremonyName, options: any, tampering: Tampering) {
    const expected = { challenge: options.challenge, origin, rpId }
    if (ceremony === 'register' || ceremony === 'credential') {
      const sent = new Authenticator(origin).create(options, tampering)
      return { sent, reason: rejectionReason(() => requireRegistration(sent, expected)) }
    }
    const { credentialId: id, x, y, userHandle } = passkey
    const sent = passkey.get(options, tampering)
    const stored = { id, x, y, userHandle, counter: storedCounter }
    return { sent, reason: rejectionReason(() => requireAssertion(sent, expected, stored)) }
  }

  /**
   * @throws if an answer violates the OpenAPI document, accepts what the reference rejects, or rejects an unchanged
   * ceremony
   */
  return async function runCeremony({
    ceremony,
    changes,
  }: Ceremony): Promise<{ readonly accepted: boolean }> {
    const { options, verify, read } = stepsOf(ceremony, `newcomer-${count++}`)
    const started = await sendRequest(options)
    if (started.status !== 200) throw new Error(`no options: ${JSON.stringify(started.body)}`)
    const { sent, reason } = respond(ceremony, read(started.body), tamperingOf(changes))
    const { status, body } = await sendRequest({ ...verify, body: sent })
    const accepted = status === 200
    if (accepted) await resetCounter()
    if (accepted && ceremony === 'transaction') fixture.signed.add(body.userOpHash.toLowerCase())
    if (accepted && reason !== undefined)
      throw new Error(`accepted although the reference rejects it: ${reason}`)
    if (!accepted && changes.length === 0)
      throw new Error(`rejected although unchanged: ${JSON.stringify(body)}`)
    return { accepted }
  }
}
