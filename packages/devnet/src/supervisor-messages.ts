/** What the process that started a devnet says to its supervisor. */
export type ToSupervisor =
  | { type: 'spawn'; id: number; binary: string; args: readonly string[] }
  | { type: 'kill'; id: number }
  | { type: 'stop' }

/** What the supervisor says back. */
export type FromSupervisor =
  | { type: 'listening'; id: number; port: number; pid: number }
  | { type: 'exit'; id: number; reason: string; log: readonly string[] }
