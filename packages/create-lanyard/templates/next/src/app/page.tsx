import { TipJar } from '../tip-jar'

/** A server component. The server renders the page as signed out; the browser knows who is signed in. */
export default function Page() {
  return <TipJar />
}
