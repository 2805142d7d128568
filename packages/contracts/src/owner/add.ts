import { publicInPart } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { ownerAddition, ownerChangePlan } from './change.ts'

export const add = endpoint({
  method: 'POST',
  path: '/smart-account/owner/add',
  tag: 'Owners',
  bucket: 'builds',
  access: publicInPart,
  idempotency: 'keyed',
  summary: 'Plan another owner: an EOA or a passkey',
  description:
    'Returns the calls for each network. Pass them as `transactionDetails` to `/smart-account/transaction/build` or to `/v3/webauthn/transaction/generate-options`. If the account is not deployed there, the operation deploys it first. The threshold stays 1: each owner can act alone. An address with code must behave alike on every network; one without must have a key (`ownerSignature`).',
  body: ownerAddition,
  output: ownerChangePlan,
  errors: ['UNKNOWN_WALLET', 'UNKNOWN_CREDENTIAL', 'NETWORK_UNAVAILABLE'],
})
