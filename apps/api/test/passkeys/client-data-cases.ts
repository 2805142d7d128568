import type { Tampering } from './authenticator.ts'

/** A broken ceremony and its error code (default VERIFICATION_FAILED; the status is 400). */
export interface NegativeCase {
  readonly name: string
  readonly tampering: Tampering
  readonly code?: 'INVALID_INPUT'
}

const member = (name: string, tamper: (members: Record<string, unknown>) => void): NegativeCase => ({
  name: `clientData.${name}`,
  tampering: { clientData: tamper },
})

const set = (key: string, value: unknown, what = JSON.stringify(value)): NegativeCase =>
  member(`${key} is ${what}`, (members) => {
    members[key] = value
  })

const without = (key: string): NegativeCase =>
  member(`${key} is missing`, (members) => {
    delete members[key]
  })

const text = (name: string, change: (text: string) => string | Buffer): NegativeCase => ({
  name: `clientDataJSON ${name}`,
  tampering: { clientDataText: change },
})

/** CollectedClientData (WebAuthn L3 §5.8.1), for both ceremonies. */
export const clientDataCases = (otherType: string): readonly NegativeCase[] => [
  without('type'),
  set('type', 7),
  set('type', ''),
  set('type', otherType),
  set('type', 'payment.get'),
  without('challenge'),
  set('challenge', 7),
  set('challenge', ''),
  set('challenge', 'not base64url!'),
  set('challenge', '\u0000'),
  set('challenge', '\ud800'),
  set('challenge', Buffer.alloc(32, 7).toString('base64url'), 'nobody’s'),
  member('challenge is padded', (members) => {
    members.challenge = `${members.challenge}=`
  }),
  member('challenge is cut short', (members) => {
    members.challenge = String(members.challenge).slice(0, -1)
  }),
  without('origin'),
  set('origin', 7),
  set('origin', ''),
  set('origin', ['http://localhost:3000']),
  set('origin', 'https://evil.example'),
  set('origin', 'https://localhost:3000'),
  set('origin', 'http://localhost:3001'),
  set('origin', 'http://sub.localhost:3000'),
  set('origin', 'http://localhost:3000/'),
  set('origin', 'http://localhost:3000.evil.example'),
  set('crossOrigin', true),
  set('crossOrigin', 'false'),
  set('topOrigin', 'https://evil.example'),
  set('tokenBinding', 'present'),
  set('tokenBinding', {}),
  set('tokenBinding', { status: 'unheard-of' }),
  text('is not JSON', (json) => json.slice(1)),
  text('is an array', (json) => `[${json}]`),
  text('is null', () => 'null'),
  text('is not UTF-8', (json) =>
    Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from(',"x":"\xff"}', 'latin1')]),
  ),
  text('is followed by other text', (json) => `${json}x`),
]

const inBody = (
  name: string,
  tamper: NonNullable<Tampering['body']>,
  code?: 'INVALID_INPUT',
): NegativeCase => ({ name: `body.${name}`, tampering: { body: tamper }, ...(code && { code }) })

/** Cases for the members of the body that both ceremonies have. */
export const bodyCases = (missing: 'INVALID_INPUT' | undefined): readonly NegativeCase[] => [
  inBody('id is missing', (body) => delete body.id, missing),
  inBody(
    'id is a number',
    (body) => {
      body.id = 7
    },
    'INVALID_INPUT',
  ),
  inBody('id is empty', (body) => {
    body.id = ''
  }),
  inBody(
    'id is not base64',
    (body) => {
      body.id = 'äöü'
    },
    'INVALID_INPUT',
  ),
  inBody('id differs from rawId', (body) => {
    body.id = 'AAAA'
  }),
  inBody('rawId is missing', (body) => delete body.rawId, missing),
  inBody(
    'rawId is a number',
    (body) => {
      body.rawId = 7
    },
    'INVALID_INPUT',
  ),
  inBody(
    'type is a number',
    (body) => {
      body.type = 7
    },
    'INVALID_INPUT',
  ),
  inBody(
    'type is a different string',
    (body) => {
      body.type = 'private-key'
    },
    missing,
  ),
  inBody('response is missing', (body) => Reflect.deleteProperty(body, 'response'), missing),
  inBody('response is text', (body) => Reflect.set(body, 'response', 'text'), 'INVALID_INPUT'),
  inBody('response is null', (body) => Reflect.set(body, 'response', null), missing),
  inBody(
    'clientExtensionResults is a number',
    (body) => {
      body.clientExtensionResults = 7
    },
    'INVALID_INPUT',
  ),
  inBody('clientDataJSON is missing', ({ response }) => delete response.clientDataJSON, missing),
  inBody(
    'clientDataJSON is a number',
    ({ response }) => {
      response.clientDataJSON = 7
    },
    'INVALID_INPUT',
  ),
  inBody('clientDataJSON is empty', ({ response }) => {
    response.clientDataJSON = ''
  }),
  inBody(
    'clientDataJSON is not base64',
    ({ response }) => {
      response.clientDataJSON = '{}'
    },
    'INVALID_INPUT',
  ),
]
