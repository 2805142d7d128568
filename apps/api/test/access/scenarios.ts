import type { CallerKind, Verdict } from '@lanyard/contracts'
import { expect } from 'vitest'
import type { AccessOf, EndpointName } from '../../src/pipeline/access.ts'
import { Authenticator, type CreationOptions } from '../passkeys/authenticator.ts'
import { origin, type PasskeyService, transfer } from '../passkeys/passkey-service.ts'

type User = Awaited<ReturnType<PasskeyService['register']>>

export interface People {
  readonly owner: User
  readonly other: User
  readonly service: PasskeyService
}

/** An answer in the form that both transports share. */
export interface CallResult {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answer
  readonly body: any
}

interface Call {
  readonly people: People
  readonly caller: CallerKind
  /** The same call with another input. */
  readonly retry: (input: Record<string, unknown>) => Promise<CallResult>
}

/** A request that refers to the owner's data, and a check of the answer for each verdict. */
export interface Scenario {
  readonly input: (people: People) => Record<string, unknown> | Promise<Record<string, unknown>>
  readonly check: (verdict: Verdict, answer: CallResult, call: Call) => void | Promise<void>
}

type ConditionalVerdict = Exclude<Verdict, 'allowed' | 'needsKey' | 'needsToken'>

/** The endpoints whose answer depends on who owns the requested resource. */
type ConditionalEndpoint = {
  [Name in EndpointName]: Extract<AccessOf<Name>[CallerKind], ConditionalVerdict> extends never ? never : Name
}[EndpointName]

const withoutId = ({ status, body: { requestId: _, ...body } }: CallResult) => ({ status, body })

/** No passkey has this id. */
const unknownId = 'AAAAAAAAAAAAAAAAAAAAAA'

/** For endpoints that take a wallet and a passkey. */
const passkeyChange: Scenario = {
  input: ({ owner }) => ({ walletAddress: owner.address, credentialId: owner.passkey.id }),
  async check(verdict, answer, { people, caller, retry }) {
    if (verdict === 'allowed') {
      expect(['UNAUTHORIZED', 'FORBIDDEN', 'UNKNOWN_CREDENTIAL']).not.toContain(answer.body.code)
      return
    }
    const unknown = await retry({ walletAddress: people.owner.address, credentialId: unknownId })
    expect(withoutId(answer)).toEqual(withoutId(unknown))
    expect(answer.body.code).toBe(caller === 'otherUser' ? 'UNKNOWN_CREDENTIAL' : 'UNAUTHORIZED')
  },
}

/** For endpoints that admit a caller unless the call reserves another account's balance. */
const reserving = (input: Scenario['input']): Scenario => ({
  input,
  check(verdict, { body }, { caller }) {
    const rejection = caller === 'otherUser' ? 'FORBIDDEN' : 'UNAUTHORIZED'
    if (verdict === 'allowed') expect(['UNAUTHORIZED', 'FORBIDDEN']).not.toContain(body.code)
    else expect(body.code).toBe(rejection)
  },
})

const order = { amount: '1000000', type: 'AMOUNT_OUT' }

export const scenarios = {
  'webauthn.credentials': {
    input: () => ({}),
    check(verdict, { body }, { people }) {
      const ids = body.credentials.map(({ credentialId }: { credentialId: string }) => credentialId)
      expect(ids.includes(people.owner.passkey.id)).toBe(verdict === 'allowed')
    },
  },
  'webauthn.credentialOptions': {
    input: () => ({}),
    check(verdict, { body }) {
      expect(body.user.name).toBe(verdict === 'allowed' ? 'owner' : 'other')
    },
  },
  'webauthn.credentialVerify': {
    // The challenge was issued to the owner.
    async input({ owner, service }) {
      const path = '/v3/webauthn/credential/generate-options'
      const { body } = await service.get<CreationOptions>(path, owner.token)
      return { ...new Authenticator(origin).create(body) }
    },
    check(verdict, { status, body }) {
      expect([status, body.code]).toEqual(
        verdict === 'allowed' ? [200, undefined] : [400, 'VERIFICATION_FAILED'],
      )
    },
  },
  'webauthn.credentialRemove': {
    input: ({ owner }) => ({ credentialId: owner.passkey.id }),
    async check(verdict, answer, { retry }) {
      if (verdict === 'allowed') return expect(answer.body.code).toBe('CREDENTIAL_IN_USE')
      expect(withoutId(answer)).toEqual(withoutId(await retry({ credentialId: unknownId })))
      expect([answer.status, answer.body.code]).toEqual([404, 'UNKNOWN_CREDENTIAL'])
    },
  },
  'identity.list': {
    input: () => ({}),
    check(_, { status, body }) {
      expect([status, body.identities]).toEqual([200, []])
    },
  },
  'identity.link': {
    input: () => ({ idToken: 'e30.e30.e30' }),
    check(_, { status, body }) {
      expect([status, body.reason]).toEqual([400, 'UNKNOWN_PROVIDER'])
    },
  },
  'identity.unlink': {
    input: () => ({ id: '00000000-0000-4000-8000-000000000000' }),
    check(_, { status, body }) {
      expect([status, body.code]).toEqual([404, 'UNKNOWN_IDENTITY'])
    },
  },
  'owner.list': {
    input: ({ owner }) => ({ walletAddress: owner.address }),
    check(verdict, { status, body }, { people }) {
      expect(status).toBe(200)
      expect(body.networks[0].owners).toHaveLength(2)
      expect(JSON.stringify(body).includes(people.owner.passkey.id)).toBe(verdict === 'allowed')
    },
  },
  'owner.add': passkeyChange,
  'owner.remove': passkeyChange,
  'smartAccount.build': reserving(({ owner }) => ({
    walletAddress: owner.address,
    network: '31337',
    transactionDetails: transfer(),
    orderData: order,
  })),
  'webauthn.transactionOptions': reserving(({ owner }) => ({
    username: owner.username,
    network: '31337',
    transactionDetails: transfer(),
    orderData: order,
  })),
  'smartAccount.sponsorship': reserving(({ owner }) => ({
    walletAddress: owner.address,
    network: '31337',
    transactionDetails: transfer(),
  })),
  'smartBalance.computeSolution': reserving(({ owner }) => ({
    walletAddress: owner.address,
    outputNetwork: 31337,
    ...order,
  })),
  'wallet.ledger': reserving(({ owner }) => ({ walletAddress: owner.address })),
} satisfies Record<ConditionalEndpoint, Scenario>
