const newOwner = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** Of `ownerConsentText` for the account of 0x7099…79C8. */
const consent =
  '0x44ac4b221e5d682f781a549588dab473d2a6d9a57238368ffa85d68eda20046f76b9bc7cc013051383b94d20186dd5aaf646d04f6a97dbc0b8ba79be95b4e46c1b'

/**
 * Values of members that have no fitting example in their own schema, by name. They run as shown on the local
 * networks of `npm start`: the accounts are public ones of anvil, and the passkey account is `alice`.
 */
const values: Readonly<Record<string, unknown>> = {
  amount: '1000000',
  ownerAddress: newOwner,
  ownerSignature: consent,
  message: 'Hello from my account',
  // The owner's signature of what `message/prepare` returns for this message on network 31337.
  signature:
    '0xa0198f77248d3752d1b17f1443e5b622d0a25b5efbe5acd1182c2a36ce159b6a4a7492d7cdebe6b30490c8ea6e360bd7fcd84ad360f6f043054215c3ebdd2f551c',
  userOpHash: `0x${'22'.repeat(32)}`,
  validUntil: 2_000_000_000,
  validAfter: 1_900_000_000,
  orderId: `0x${'33'.repeat(32)}`,
  sessionKey: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  action: 'request',
  credentialId: 'dGhlIGlkIG9mIGEgcGFzc2tleQ',
  transactionDetails: [
    { targetContractAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', value: '1000', encodedData: '0x' },
  ],
  change: { kind: 'addOwner', owner: { address: newOwner, signature: consent } },
  sequence: '0',
  kind: `0x${'63616e63656c'.padEnd(64, '0')}`,
  data: '0x',
  newOwners: [{ address: newOwner }],
  newOwner: { address: newOwner },
  redirectUri: 'https://wallet.example/login',
  guardian: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  permissions: [
    { type: 'native-token-allowance', allowance: '5000000000000000' },
    { type: 'gas-fee-allowance', allowance: '1000000000000000' },
  ],
}

/** Placeholders of what the browser returns for a ceremony, which cannot be written down. */
const assertion = { id: 'AAAA', rawId: 'AAAA', response: { clientDataJSON: 'e30' } }
const attestation = {
  ...{ id: 'AAAA', rawId: 'AAAA' },
  response: { clientDataJSON: 'e30', attestationObject: 'oA' },
}

/** Values of single operations, which precede those by name. */
const valuesOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  recoveryPrepare: { newOwners: [{ address: newOwner, signature: consent }] },
  identityStart: {
    codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    state: 'wJ4ys7mGfa1nTq0Rk8bXcQ',
    nonce: 'Zr3pV6eHq9LtYw2Bn5JkUg',
  },
  identityExchange: {
    codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    code: 'SplxlOBeZQQYbYS6WxSbIA',
    nonce: 'Zr3pV6eHq9LtYw2Bn5JkUg',
  },
  identityRegister: attestation,
  identityUnlink: { id: '0b6c2f6e-52a1-4c39-9d5c-7d2c8f0e1a34' },
  webauthnAuthenticateVerify: assertion,
  webauthnCredentialVerify: attestation,
  webauthnDiscoverVerify: assertion,
  webauthnMessageVerify: assertion,
  webauthnRegisterOptions: { username: 'bob' },
  webauthnRegisterVerify: { username: 'bob', ...attestation },
  webauthnTransactionVerify: assertion,
}

/** Optional members without which an example would say little. */
const shown: Readonly<Record<string, readonly string[]>> = {
  ownerAdd: ['ownerAddress', 'ownerSignature'],
  ownerRemove: ['ownerAddress'],
  sessionKeyCheck: ['transactionDetails'],
  smartAccountBuild: ['transactionDetails'],
  smartAccountGasFees: ['transactionDetails'],
  smartBalanceGetBalance: ['walletAddress'],
  smartBalanceExit: ['amount'],
  messageCheck: ['message'],
  messageFinish: ['message'],
  messagePrepare: ['message'],
  webauthnAuthenticateVerify: ['id', 'rawId', 'response'],
  webauthnDiscoverVerify: ['id', 'rawId', 'response'],
  webauthnMessageOptions: ['message'],
  webauthnMessageVerify: ['message', 'id', 'rawId', 'response'],
  webauthnTransactionOptions: ['transactionDetails'],
  webauthnTransactionVerify: ['id', 'rawId', 'response'],
}

/** A node of the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Follows `$ref` in a document. */
export function resolveIn(document: unknown, schema: unknown): Schema {
  if (!isSchema(schema)) return {}
  if (typeof schema.$ref !== 'string') return schema
  const steps = schema.$ref.slice(2).split('/')
  return resolveIn(
    document,
    steps.reduce<unknown>((at, step) => (isSchema(at) ? at[step] : undefined), document),
  )
}

/** @throws TypeError for a required member that has no example yet */
function exampleOf(operationId: string, name: string, schema: Schema): unknown {
  const own = valuesOf[operationId]
  if (own && name in own) return own[name]
  if (name in values) return values[name]
  if (schema.example !== undefined) return schema.example
  throw new TypeError(`apps/api/src/transport/openapi/examples.ts has no example of ${name}`)
}

/**
 * Adds an example to each request of the document: to its body, and to each parameter that the example sends.
 * Optional members are left out unless the example needs them.
 */
export function addExamples(document: object): void {
  const resolve = (schema: unknown) => resolveIn(document, schema)
  for (const path of Object.values(resolve(Reflect.get(document, 'paths'))))
    for (const operation of Object.values(resolve(path)).map(resolve)) {
      const id = String(operation.operationId)
      const isShown = (name: string, required: boolean) => required || (shown[id]?.includes(name) ?? false)
      const parameters = Array.isArray(operation.parameters) ? operation.parameters.map(resolve) : []
      for (const parameter of parameters) {
        const { name, required, schema } = parameter
        if (parameter.in === 'query' && isShown(String(name), required === true))
          Reflect.set(parameter, 'example', exampleOf(id, String(name), resolve(schema)))
      }
      const media = resolve(resolve(resolve(operation.requestBody).content)['application/json'])
      const body = resolve(media.schema)
      if (!body.properties) continue
      const required = Array.isArray(body.required) ? body.required : []
      const members = Object.entries(resolve(body.properties)).filter(([name]) =>
        isShown(name, required.includes(name)),
      )
      Reflect.set(
        media,
        'example',
        Object.fromEntries(members.map(([name, schema]) => [name, exampleOf(id, name, resolve(schema))])),
      )
    }
}
