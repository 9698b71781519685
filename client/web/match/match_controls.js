/** The reader's controls: the buttons below the board, the offer box and the chat, connected to the commands. */

import { SoundButton } from "../sound_button.js";
import { Actions } from "./actions.js";
import { ChatPanel } from "../chat/chat_panel.js";
import { NextBoard } from "./next_board.js";
import { OfferBox } from "./offer_box.js";
import { SeatBox } from "./seat_box.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PairingSearch } from "../lobby/pairing_search.js" */
/** @import { GameInfo } from "../protocol.js" */
/** @import { MatchCommands } from "./match_commands.js" */
/** @import { MatchState } from "./match_state.js" */

export class MatchControls {
  #actions;
  #offers;
  #chat;
  #next;
  #sound = new SoundButton();
  #seats;

  /**
   * @param {Connection} connection
   * @param {MatchState} state
   * @param {MatchCommands} commands
   * @param {PairingSearch} search
   * @param {(path: string) => void} navigate
   * @param {() => void} turnBoard
   */
  constructor(connection, state, commands, search, navigate, turnBoard) {
    this.state = state;
    const rematch = () => commands.offerRematch();
    const declineRematch = () => commands.declineRematch();
    this.#actions = new Actions(
      {
        abort: () => commands.end("abort"),
        leaveSeat: () => commands.leaveSeat(),
        resign: () => commands.end("resign"),
        offer: (kind) => commands.offer(kind),
        giveTime: () => commands.settle("give_time"),
        berserk: () => commands.settle("berserk"),
        pauseBots: () => commands.pauseBots(),
        resumeBots: (plies) => commands.resumeBots(plies),
        rematch,
        declineRematch,
        playLevel: async (level) => {
          const created = await commands.playLevel(level);
          if (created !== null) navigate(`/match/${created.match}`);
        },
        pairAgain: (request) => search.find(request, state.players.length > 2),
        turnBoard,
      },
      [this.#sound.element],
    );
    this.#offers = new OfferBox({
      accept: (kind) => commands.answer(kind, "accept_offer"),
      decline: (kind) => commands.answer(kind, "decline_offer"),
      endPause: () => commands.settle("end_pause"),
      rematch,
      declineRematch,
    });
    this.#chat = new ChatPanel(connection, state.id);
    this.#next = new NextBoard(connection, state, navigate);
    this.#seats = new SeatBox({ handOver: (level) => commands.handOver(level), askForSeat: (seat) => commands.askForSeat(seat), changePlayer: (seat, level) => commands.changePlayer(seat, level) });
    /** Less often needed: changes of seats. */
    this.more = this.#seats.element;
    /** The way to the reader's next board. */
    this.next = this.#next.element;
    /** From top to bottom. */
    this.elements = [this.#offers.element, this.#actions.element, this.#chat.element];
  }

  open() {
    this.#chat.open();
    this.#sound.open();
  }

  close() {
    this.#chat.close();
    this.#next.close();
    this.#sound.close();
  }

  /** @param {(seat: number) => string} nameOf @param {GameInfo | undefined} game */
  show(nameOf, game) {
    this.#actions.show(this.state, game);
    this.#offers.show(this.state, nameOf);
    this.#seats.show(this.state, nameOf, game);
    this.#chat.show(this.state);
    this.#next.show();
  }
}
