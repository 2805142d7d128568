import { type SenderStep, senderSteps } from '../sender/steps.ts'

/** Steps of the relayer between `settled` and `signed`, besides those of any sender. */
const batchSteps = [
  /** Nothing but the table says that operations wait: they are picked again. */
  'batch-picked',
  'batch-simulated',
] as const

export type RelayerStep = SenderStep | (typeof batchSteps)[number]

export type CheckpointName = `relayer:${RelayerStep}`

/** Where the process may die in a drive. Tests kill at each of them. */
export const checkpoints: readonly CheckpointName[] = [...senderSteps, ...batchSteps].map(
  (step) => `relayer:${step}` as const,
)

/** Called between the steps of the relayer. */
export type Checkpoint = (name: CheckpointName) => void | Promise<void>
