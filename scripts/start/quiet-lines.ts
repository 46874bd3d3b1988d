/** Lines of wrangler's output that are not worth showing: its banner, its table of bindings, its own address. */
const NOISE = [
  /^\s*$/,
  /^\s*⛅️ wrangler/u,
  /^─+$/u,
  /^Using secrets defined in /,
  /^Your Worker has access to the following bindings/,
  /^Binding\s+Resource/,
  /^env\.\w+ .*\s(local|not supported)\b/,
  /^env\.\w+ \(.*\)/,
  /^\[custom build\] Running:/,
  /^\[custom build\]\s*$/,
  /^The file .* changed, restarting build/,
  /^⎔ Reloading local server/u,
  /^⎔ Local server updated and ready/u,
  /^Running custom build:/,
  /^⎔ Starting (local|remote) server/u,
  /^\[wrangler:info\] [A-Z]+ /,
  /Ready on http/,
  /✨ Parsed \d+ valid (header|redirect) rules?/u,
  /^Cloudflare collects anonymous telemetry/,
  /^🪵 {2}Logs were written to/u,
  /^\s*If you think this is a bug/,
  // wrangler's remark that cron triggers, which delete data here, run only in a deployment.
  // docs/reference/operations.md explains how to run the deletions locally.
  /Scheduled Workers are not automatically triggered/,
  /^\s*To manually trigger a scheduled event/,
  /^\s*curl "http:\/\/localhost:\d+\/cdn-cgi\//,
  /^\s*For more details, see .*cron-triggers/,
]

/** Splits a stream of wrangler's output into lines and removes the lines that are not worth showing. */
export class QuietLines {
  #rest = ''

  /**
   * Adds a piece of the stream.
   *
   * @returns the lines that the piece completes; `ready` is true if one of these lines says that the server listens
   */
  feed(text: string): { lines: string[]; ready: boolean } {
    const parts = (this.#rest + text).split(/\r?\n/)
    this.#rest = parts.pop() ?? ''
    return {
      lines: parts.filter(isWorthShowing).map(withoutLabel),
      ready: parts.some((line) => /Ready on http/.test(line)),
    }
  }

  /** Returns the last line of the stream if that line has no line end; otherwise an empty list. */
  end(): string[] {
    return [this.#rest].filter(isWorthShowing).map(withoutLabel)
  }
}

function withoutLabel(line: string): string {
  return line.replace(/^\[custom build\] /, '')
}

function isWorthShowing(line: string): boolean {
  return !NOISE.some((pattern) => pattern.test(line))
}
