import { type SenderStep, senderSteps } from '../sender/steps.ts'

/** The relayer's steps between `settled` and `signed`, in addition to those of every sender. */
const batchSteps = [
  /** Only the table records that operations wait, so they are picked again. */
  'batch-picked',
  'batch-simulated',
] as const

export type RelayerStep = SenderStep | (typeof batchSteps)[number]

export type CheckpointName = `relayer:${RelayerStep}`

/** Where the process may die during a drive. Tests kill it at each of them. */
export const checkpoints: readonly CheckpointName[] = [...senderSteps, ...batchSteps].map(
  (step) => `relayer:${step}` as const,
)

/** Called between the steps of the relayer. */
export type Checkpoint = (name: CheckpointName) => void | Promise<void>
