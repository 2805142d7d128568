import { publicInPart } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { ownerChange, ownerChangePlan } from './change.ts'

export const remove = endpoint({
  method: 'POST',
  path: '/smart-account/owner/remove',
  tag: 'Owners',
  bucket: 'builds',
  access: publicInPart,
  idempotency: 'keyed',
  summary: 'Plan the removal of an owner',
  description:
    'Answers the calls for each network where it is an owner, as `/smart-account/owner/add` does. The last owner of a network cannot be removed.',
  body: ownerChange,
  output: ownerChangePlan,
  errors: ['UNKNOWN_WALLET', 'UNKNOWN_OWNER', 'UNKNOWN_CREDENTIAL', 'LAST_OWNER'],
})
