/**
 * The page's requests and subscriptions, with the types of their answers. Types only.
 *
 * The messages themselves are in `protocol.js`, which is generated. The connection adds the ids of questions.
 */

/** @import * as Messages from "../protocol.js" */

/**
 * A request without its id.
 * @template Message
 * @typedef {Message extends unknown ? Omit<Message, "id"> : never} Unnumbered
 */

/** Commands that change a match. @typedef {Unnumbered<Messages.Create | Messages.MatchCommand>} Command */
/** @typedef {Unnumbered<Messages.Say | Messages.Mute | Messages.Report>} TalkCommand */
/** @typedef {Unnumbered<Messages.TakeReports | Messages.SettleReports | Messages.Moderate>} ModerationRequest */
/**
 * A search of past matches, without the fields that are null.
 * @typedef {{ [Field in Exclude<keyof Messages.SearchMatches, "id" | "type">]?: NonNullable<Messages.SearchMatches[Field]> }} SearchWanted
 */

/** Requests with a stream of answers. @typedef {Unnumbered<Messages.Analyse | Messages.AnalyseMatch>} StreamCommand */
/** @typedef {Messages.Evaluated | Messages.MatchProgress | Messages.MatchAnalysed | Messages.Refused} Streamed */

/**
 * Requests by their type, each with its fields and the type of its answer.
 * @template {{ type: string }} Message
 * @template Answer
 * @typedef {{ [Each in Message as Each["type"]]: [Omit<Each, "id" | "type">, Answer] }} Asked
 */
/**
 * Requests with one answer.
 * @typedef {Asked<Messages.Create | Messages.MatchCommand, Messages.Accepted>
 *   & Asked<Messages.Say | Messages.Mute | Messages.Report, Messages.Done>
 *   & Asked<Messages.TakeReports | Messages.SettleReports | Messages.Moderate, Messages.Done>
 *   & Asked<Messages.FindMatch | Messages.StopSearch | Messages.PlayBot, PairingAnswer>
 *   & Asked<Messages.SetChallengeRules, Messages.Done> & Asked<Messages.GetLegalMoves, Messages.LegalMoves>
 *   & Asked<Messages.PlayNow, Messages.NowPlaying> & Asked<Messages.GetFittingBot, Messages.FittingBot>
 *   & Asked<Messages.Block | Messages.Unblock | Messages.GetBlocked, Messages.Blocked>
 *   & Asked<Messages.GetVacation | Messages.SetVacation, Messages.Vacation>
 *   & Asked<Messages.Preview, Messages.Previewed> & Asked<Messages.Describe, Messages.Described>
 *   & Asked<Messages.GetLeaders, Messages.Leaders> & Asked<Messages.GetPlayerRatings, Messages.PlayerRatings>
 *   & Asked<Messages.SearchMatches, Messages.FoundMatches> & Asked<Messages.GetCrosstable, Messages.Crosstable> & Asked<Messages.GetBotRecords, Messages.BotRecords>
 *   & Asked<Messages.ImportMatches, Messages.Done | Messages.MatchesImported>
 *   & Asked<Messages.SetPlan | Messages.GetPlan, Messages.Plan>
 *   & Asked<Messages.Compose, Messages.Composed> & Asked<Messages.Explore, Messages.Explored> & Asked<Messages.ProbeTablebase, Messages.TablebaseProbed>
 *   & Asked<Messages.GetEngineLine, Messages.EngineLine> & Asked<Messages.PlayForBot, Messages.Done>
 *   & Asked<Messages.ExploreOpening, Messages.OpeningExplored> & Asked<Messages.GetOpenings, Messages.Openings>
 *   & Asked<Messages.SaveStudy, Messages.Done | Messages.StudySaved> & Asked<Messages.GetStudy, Messages.Study>
 *   & Asked<Messages.ListStudies, Messages.Studies> & Asked<Messages.ChangeStudy | Messages.ShareStudy | Messages.DeleteChapter | Messages.DeleteStudy, Messages.Done>
 *   & Asked<Messages.GetPuzzle, Messages.PuzzlePosed> & Asked<Messages.TryPuzzle | Messages.GiveUpPuzzle, Messages.PuzzleTried>
 *   & Asked<Messages.GetPuzzleHistory, Messages.PuzzleHistory>
 *   & Asked<Messages.GetEnding, Messages.EndingPosed> & Asked<Messages.PlayEnding, Messages.EndingPlayed>
 *   & Asked<Messages.GetMistake, Messages.MistakePosed> & Asked<Messages.TryMistake, Messages.MistakeTried>
 *   & Asked<Messages.StartStorm, Messages.StormBegun> & Asked<Messages.PlayStorm, Messages.StormPlayed>
 *   & Asked<Messages.OpenRace, Messages.RaceOpened> & Asked<Messages.JoinRace | Messages.StartRace, Messages.Done>
 *   & Asked<Messages.GetRaceRun, Messages.RaceRun> & Asked<Messages.PlayRace, Messages.RacePlayed>
 *   & Asked<Messages.GetLesson, Messages.Lesson> & Asked<Messages.GetRemarks, Messages.Remarks>
 *   & AccountQuestions & Asked<Messages.GetChatContext, Messages.ChatContext> & Asked<Messages.GetModerationRecord, Messages.ModerationRecord>
 *   & Asked<Messages.GetModerationLog, Messages.ModerationLog> & Asked<Messages.GetSiteControls, Messages.SiteControls> & Asked<Messages.GetProfile, Messages.Profile>
 *   & Asked<Messages.GetPageSettings, Messages.YourPageSettings> & Asked<Messages.SetPageSettings, Messages.Done>
 *   & Asked<Messages.GetPreferences, Messages.Preferences> & Asked<Messages.FindPlayers, Messages.FoundPlayers>
 *   & Asked<Messages.SetProfile | Messages.SetOnlineVisibility | Messages.Follow, Messages.Done>
 *   & Asked<Messages.MarkNotificationsRead | Messages.SetNotificationKinds, Messages.Done>
 *   & Asked<Messages.GetNotificationKinds, Messages.NotificationKinds>
 *   & Asked<Messages.CreateTournament, Messages.TournamentCreated> & Asked<Messages.GetTournamentMatches, Messages.TournamentMatches>
 *   & Asked<Messages.JoinTournament | Messages.LeaveTournament | Messages.DisqualifyPlayer | Messages.ForbidPairing | Messages.AcceptPlayer | Messages.StartSimul, Messages.Done>
 *   & Asked<Messages.GetLadders, Messages.Ladders> & Asked<Messages.JoinLadder | Messages.LeaveLadder, Messages.Done>
 *   & Asked<Messages.ChallengeOnLadder, Messages.Accepted>
 *   & Asked<Messages.GetPushKey, Messages.PushKey> & Asked<Messages.SubscribeToPush | Messages.UnsubscribeFromPush, Messages.Done>} Questions
 */
/** @typedef {Messages.Claim["outcome"]} ClaimOutcome */
/** @typedef {Messages.Searching | Messages.Paired | Messages.SearchEnded} PairingAnswer */
/**
 * @typedef {Asked<Messages.Register | Messages.SignIn | Messages.SignOut, Messages.SignedIn>
 *   & Asked<Messages.ChangePassword | Messages.DeleteAccount | Messages.BecomeBot | Messages.ChooseName, Messages.Done>
 *   & Asked<Messages.GetEmail, Messages.Email> & Asked<Messages.SetEmail | Messages.ConfirmEmail | Messages.MailRecoveryCode, Messages.Done>
 *   & Asked<Messages.Recover, Messages.SignedIn> & Asked<Messages.RenewRecoveryCodes, Messages.RecoveryCodes>
 *   & Asked<Messages.CreateToken, Messages.TokenCreated> & Asked<Messages.ListTokens, Messages.Tokens>
 *   & Asked<Messages.RevokeToken, Messages.Done>} AccountQuestions
 */

/**
 * @typedef {Messages.Watching | Messages.MatchEvent | Messages.MatchEvents | Messages.Turn | Messages.AudienceUpdate
 *   | Messages.Renamed | Messages.Refused} MatchMessage
 */
/** @typedef {Messages.LiveMatches | Messages.OnlineBots | Messages.Seeks} LobbyList */
/** @typedef {Messages.Notifications | Messages.NotificationAdded} InboxMessage */
/**
 * Subscriptions, with the messages that each receives.
 * @typedef {Asked<Messages.Watch, MatchMessage> & Asked<Messages.WatchChat, Messages.Chat | Messages.ChatLineAdded>
 *   & Asked<Messages.ThinkForBot, Messages.BotTurn> & Asked<Messages.WatchLobby, LobbyList> & Asked<Messages.WatchYourMatches, Messages.YourMatches>
 *   & Asked<Messages.WatchLive, Messages.LivePage> & Asked<Messages.WatchFeatured, Messages.Featured>
 *   & Asked<Messages.WatchReports, Messages.OpenReports>
 *   & Asked<Messages.WatchPlayers, Messages.OnlinePlayers | Messages.FollowedPlayers>
 *   & Asked<Messages.WatchTournaments, Messages.Tournaments>
 *   & Asked<Messages.WatchTournament, Messages.TournamentView | Messages.TournamentUpdate | Messages.Refused>
 *   & Asked<Messages.WatchLadder, Messages.LadderView | Messages.Refused>
 *   & Asked<Messages.WatchRace, Messages.RaceView | Messages.Refused>
 *   & Asked<Messages.WatchStudy, Messages.StudyNews> & Asked<Messages.WatchNotifications, InboxMessage>} Followed
 */

export {};
