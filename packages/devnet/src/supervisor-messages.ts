/** Messages from the process that started a devnet to its supervisor. */
export type ToSupervisor =
  | { type: 'spawn'; id: number; binary: string; args: readonly string[] }
  | { type: 'kill'; id: number }
  | { type: 'stop' }

/** Messages from the supervisor. */
export type FromSupervisor =
  | { type: 'listening'; id: number; port: number; pid: number }
  | { type: 'exit'; id: number; reason: string; log: readonly string[] }
