/** The id of an event, the same in every delivery, so that receivers recognise repeats. */
export const toEventId = (position: number): string => `evt_${position}`

/** @returns undefined if the text is not an event id */
export function parseEventId(text: string): number | undefined {
  const [, digits] = /^evt_(\d{1,15})$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}
