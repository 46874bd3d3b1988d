/** A link's click, done within the page; whoever wants a new tab or window gets one from the browser. */
export function follow(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go()
  }
}
