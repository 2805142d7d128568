import { z } from 'zod'
import { guardianProblems } from '../guardian/fields.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { namedOwnerOutput } from '../recovery/status-output.ts'
import { operationStates } from '../smart-account/status.ts'
import { orderStates } from '../smart-balance/order-output.ts'

const operation = z.object({
  userOpHash: hexOutput,
  state: z.enum(operationStates),
  final: z.boolean(),
  success: z.boolean().optional(),
  txnHash: hexOutput.optional(),
  blockNumber: decimalOutput.optional(),
  blockHash: hexOutput.optional(),
  gasCost: decimalOutput.optional(),
  sessionKey: z
    .union([addressOutput, z.object({ x: hexOutput, y: hexOutput })])
    .optional()
    .meta({ description: 'The session key that signed it: an address, or a P-256 public key.' }),
  reason: z.object({ code: z.string(), message: z.string() }).optional(),
})

const order = z.object({
  orderId: hexOutput,
  state: z.enum(orderStates),
  amount: decimalOutput,
  fee: decimalOutput,
  total: decimalOutput,
  userOpHash: hexOutput.optional(),
  txnHash: hexOutput.optional(),
  outcome: z.enum(['claimed', 'failed']).optional(),
})

const deposit = z.object({ balance: decimalOutput, exiting: decimalOutput, blockNumber: decimalOutput })
const depositChange = deposit.extend({ change: z.string() })
const depositExit = deposit.extend({ exitReadyAt: z.int() })

/** The position of the event's log, and whether a reorg can still remove it. */
const place = z.object({
  final: z.boolean(),
  txnHash: hexOutput,
  logIndex: z.int(),
  blockNumber: decimalOutput,
  blockHash: hexOutput,
})
const owner = place.extend({ change: z.enum(['added', 'removed']), owner: addressOutput })
const session = place.extend({
  change: z.enum(['granted', 'revoked']),
  keyId: hexOutput,
  validAfter: z.int().optional(),
  validUntil: z.int().optional(),
})
const sessionWarning = z.object({
  keyId: hexOutput,
  userOpHash: hexOutput.meta({ description: 'The operation that caused the warning.' }),
})
const guardian = place.extend({
  change: z.literal('set'),
  members: z.array(addressOutput),
  threshold: z.int(),
  /** Unix seconds from which they count. */
  from: z.int(),
})
const ableGuardian = z.object({ guardian: addressOutput })
const unableGuardian = ableGuardian.extend({ problem: z.enum(guardianProblems) })
const recovery = place.extend({
  change: z.enum(['started', 'cancelled', 'executed']),
  recovery: hexOutput,
  readyAt: z.int().optional(),
  guardians: z.array(addressOutput).optional(),
})
const recoveryRequest = z.object({
  newOwner: namedOwnerOutput,
  issuer: z.string().meta({ description: 'The identity provider whose login asked the guardians.' }),
  expiresAt: z.int(),
})
const transfer = place.extend({
  change: z.literal('received'),
  from: addressOutput,
  token: addressOutput.optional(),
  amount: decimalOutput,
})

/** All event types, with the members of their messages other than position, account and network. */
const eventData = {
  'operation.included': operation,
  'operation.reverted': operation,
  'operation.reorged': operation,
  'operation.replaced': operation,
  'operation.dropped': operation,
  'operation.final': operation,
  'order.submitted': order,
  'order.claimed': order,
  'order.failed': order,
  'order.reorged': order,
  'order.attested': order,
  'order.settled': order,
  'order.expired': order,
  'deposit.increased': depositChange,
  'deposit.decreased': depositChange,
  'deposit.exiting': depositExit,
  'owner.added': owner,
  'owner.removed': owner,
  'owner.reorged': owner,
  'owner.final': owner,
  'guardian.set': guardian,
  'guardian.reorged': guardian,
  'guardian.final': guardian,
  'guardian.unable': unableGuardian,
  'guardian.able': ableGuardian,
  'recovery.requested': recoveryRequest,
  'recovery.started': recovery,
  'recovery.cancelled': recovery,
  'recovery.executed': recovery,
  'recovery.reorged': recovery,
  'recovery.final': recovery,
  'session.granted': session,
  'session.revoked': session,
  'session.reorged': session,
  'session.final': session,
  'session.emptied': sessionWarning,
  'session.failing': sessionWarning,
  'transfer.received': transfer,
  'transfer.reorged': transfer,
  'transfer.final': transfer,
} as const

export type EventType = keyof typeof eventData

export const eventTypes = Object.keys(eventData) as readonly EventType[] // the keys of the object above

const common = z.object({
  /** Increases with every event. */
  position: decimalOutput,
  account: addressOutput,
  network: decimalOutput,
})

/** An event as sent by webhooks, streams and subscriptions. */
export type EventMessage<Type extends EventType = EventType> = {
  [T in Type]: {
    readonly type: T
    /** When the service recorded the change. */
    readonly timestamp: string
    readonly data: z.output<typeof common> & z.output<(typeof eventData)[T]>
  }
}[Type]

/** The message of a type of event, with no other members. */
export const eventMessage = <Type extends EventType>(type: Type) =>
  z.strictObject({
    type: z.literal(type),
    timestamp: z.iso.datetime(),
    data: z.strictObject({ ...common.shape, ...eventData[type].shape }),
  })
