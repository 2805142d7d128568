import { publicInPart } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { ownerChange, ownerChangePlan } from './change.ts'

export const add = endpoint({
  method: 'POST',
  path: '/smart-account/owner/add',
  tag: 'Owners',
  bucket: 'builds',
  access: publicInPart,
  idempotency: 'keyed',
  summary: 'Plan a further owner: an EOA or another passkey',
  description:
    'Answers the calls for each network. Hand them as `transactionDetails` to `/smart-account/transaction/build` or to `/v3/webauthn/transaction/generate-options`; where the account is not deployed, the operation deploys it first. The threshold stays 1: each owner can act alone.',
  body: ownerChange,
  output: ownerChangePlan,
  errors: ['UNKNOWN_WALLET', 'UNKNOWN_CREDENTIAL'],
})
