import { BuildVerificationError, LanyardApiError } from '@lanyard/client'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { AgentError } from '../agent/agent-error.ts'

/** A result for the model: the data, and the same as text for clients that show only text. */
const answer = (data: Record<string, unknown>): CallToolResult => ({
  structuredContent: data,
  content: [{ type: 'text', text: JSON.stringify(data, null, 2) }],
})

/** A refusal for the model. Nothing was paid. */
const rejection = (message: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: message }],
})

/** Runs a tool. Expected errors become refusals with the way out; others are the server's defects. */
export async function runTool(run: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    return answer(await run())
  } catch (error) {
    if (error instanceof AgentError) return rejection(error.message)
    if (error instanceof LanyardApiError) {
      const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`
      return rejection(`The wallet service refused: ${error.message} [${error.code}]${request}`)
    }
    if (error instanceof BuildVerificationError) {
      return rejection(
        `The wallet service built something else than was asked for (${error.field}). Nothing was signed. Tell the person who runs the agent.`,
      )
    }
    if (error instanceof TypeError && error.message === 'fetch failed') {
      return rejection('The wallet service cannot be reached. Nothing was paid. Try again later.')
    }
    throw error
  }
}
