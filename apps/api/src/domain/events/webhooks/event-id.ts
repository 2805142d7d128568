/** The id of an event, the same in every delivery of it: receivers know by it what they had before. */
export const toEventId = (position: number): string => `evt_${position}`

/** @returns undefined for what is no id of an event */
export function parseEventId(text: string): number | undefined {
  const [, digits] = /^evt_(\d{1,15})$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}
