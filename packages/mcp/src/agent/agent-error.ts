/** A request that the agent cannot carry out. The message says why and what to do. Nothing was paid. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}
