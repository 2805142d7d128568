/* What a service says is not trusted: a wrong value is left out, and does not end the app that shows it. */

/** An address of the web. Undefined for anything else, such as `javascript:`. */
export function webAddress(text: string | null | undefined, base?: string): string | undefined {
  try {
    const { protocol, href } = new URL(text ?? '', base)
    return text && /^https?:$/.test(protocol) ? href : undefined
  } catch {
    return undefined
  }
}

/** A picture: an address of the web or a `data:` URL, which shows and never runs. */
export const pictureAddress = (text: string | null | undefined, base: string): string | undefined =>
  text?.startsWith('data:image/') ? text : webAddress(text, base)

/** Whether a currency has decimals that can be shown: ERC-20 has a `uint8`, and 10^77 is the highest power in a `uint256`. */
export const hasDecimals = ({ decimals }: { readonly decimals: number }): boolean =>
  Number.isInteger(decimals) && decimals >= 0 && decimals <= 77
