// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOutcomeVerifier} from "../interfaces/IOutcomeVerifier.sol";
import {PAUSE_BUDGET, PAUSE_PERIOD} from "./Constants.sol";
import {Proposal} from "./libraries/Proposal.sol";
import {PermanentOwner} from "./PermanentOwner.sol";
import {Vault} from "./Vault.sol";

/// @title The owner's decisions: roles, limits, liquidity
/// @notice Every function reverts with OwnableUnauthorizedAccount unless the owner calls it; three of them let the
/// pauser stop something. No function can move a deposit.
abstract contract Administration is Vault, PermanentOwner {
    /// @notice Thrown if the caller is not a settler.
    error NotSettler(address caller);

    /// @notice Thrown if settlement is paused.
    error SettlementIsPaused(uint48 until);

    /// @notice Thrown if settlement would be paused for more than PAUSE_BUDGET in a PAUSE_PERIOD, or for no time.
    error InvalidPause(uint256 total);

    /// @notice Thrown if a claim exceeds the rest of this hour's cap.
    error OutflowCapExceeded(uint256 available, uint256 wanted);

    event OperatorSet(address indexed operator, bool allowed);
    event SettlerSet(address indexed settler, bool allowed);
    event PauserSet(address indexed pauser);
    event VerifierProposed(IOutcomeVerifier indexed verifier, uint48 readyAt);
    event VerifierSet(IOutcomeVerifier indexed verifier);
    event OutflowCapSet(uint104 cap);
    event PausedSet(bool paused);
    event SettlementPaused(uint48 from, uint48 until);
    event LiquidityWithdrawn(address indexed to, uint256 amount);

    struct Outflow {
        /// The maximum that may be lent in one hour of the clock.
        uint104 cap;
        uint104 spent;
        /// block.timestamp / 1 hours of `spent`.
        uint48 hour;
    }

    struct Pause {
        uint48 from;
        uint48 until;
    }

    /// @notice May pause new orders, pause settlement for a limited time, and revoke operators, and nothing else, so its
    /// key can be kept at hand. 0 if there is none.
    address public pauser;

    /// @notice May sign orders and withdrawals. Changes are immediate: an operator can only lend, up to the cap.
    mapping(address operator => bool) public isOperator;

    /// @notice May call settle. Changes are immediate: a settler moves nothing without the user and the verifier.
    mapping(address settler => bool) public isSettler;

    /// @notice Decides the outcome of orders on other networks.
    IOutcomeVerifier public verifier;

    /// @notice The first second in which settlement is possible again; in the past if it is not paused.
    /// @dev In the slot of `verifier`, which settlement reads.
    uint48 public settlementPausedUntil;

    /// @notice A proposed verifier, which {applyVerifier} can apply from `verifierReadyAt` on.
    IOutcomeVerifier public pendingVerifier;
    uint48 public verifierReadyAt;

    /// @notice Stops new orders. Deposits, withdrawals, exits and settlement continue.
    bool public paused;

    /// @notice Nothing can be lent until the owner has set a cap.
    Outflow public outflow;

    /// @notice All pauses of settlement, in the order of time; they do not overlap.
    Pause[] public pauses;

    modifier onlySettler() {
        if (!isSettler[msg.sender]) revert NotSettler(msg.sender);
        if (block.timestamp < settlementPausedUntil) revert SettlementIsPaused(settlementPausedUntil);
        _;
    }

    /// @param stops Whether the call only stops something, which the pauser may do as well.
    modifier onlyOwnerOrPauser(bool stops) {
        if (!stops || msg.sender != pauser) _checkOwner();
        _;
    }

    constructor(IOutcomeVerifier verifier_) {
        verifier = verifier_;
        emit VerifierSet(verifier_);
    }

    /// @notice Sets the pauser immediately; 0 means none.
    function setPauser(address pauser_) external onlyOwner {
        pauser = pauser_;
        emit PauserSet(pauser_);
    }

    /// @notice The pauser may revoke operators.
    function setOperator(address operator, bool allowed) external onlyOwnerOrPauser(!allowed) {
        isOperator[operator] = allowed;
        emit OperatorSet(operator, allowed);
    }

    function setSettler(address settler, bool allowed) external onlyOwner {
        isSettler[settler] = allowed;
        emit SettlerSet(settler, allowed);
    }

    /// @notice Proposes another verifier as described in {Proposal}, so that anyone who distrusts it can leave first.
    /// Replaces an earlier proposal; proposing the current verifier withdraws it.
    function proposeVerifier(IOutcomeVerifier proposed) external onlyOwner {
        pendingVerifier = proposed;
        verifierReadyAt = Proposal.newReadyAt();
        emit VerifierProposed(proposed, verifierReadyAt);
    }

    /// @notice Reverts with NotProposed, NotReady or ProposalLapsed.
    function applyVerifier() external onlyOwner {
        Proposal.requireReady(verifierReadyAt);
        verifier = pendingVerifier;
        delete pendingVerifier;
        delete verifierReadyAt;
        emit VerifierSet(verifier);
    }

    /// @param cap 6-decimals units for each hour of the clock; 60 minutes across two hours can lend twice as much.
    function setOutflowCap(uint104 cap) external onlyOwner {
        outflow.cap = cap;
        emit OutflowCapSet(cap);
    }

    /// @notice The pauser may pause; only the owner may unpause.
    function setPaused(bool paused_) external onlyOwnerOrPauser(paused_) {
        paused = paused_;
        emit PausedSet(paused_);
    }

    /// @notice Stops settlement for some hours from now, or from the end of the current pause. It cannot be ended
    /// earlier, so pause for a short time and again. Against stolen attestors and settlers, while the owner, behind a
    /// timelock, replaces them; exits continue. The pauser may do it, too. Reverts with InvalidPause.
    /// @dev Any PAUSE_PERIOD with the most paused seconds can be moved so that it ends with a pause, so only those that
    /// do are checked. A pause has at least an hour, so at most 36 of them are read.
    function pauseSettlement(uint8 hours_) external onlyOwnerOrPauser(true) {
        uint48 from = uint48(block.timestamp);
        if (settlementPausedUntil > from) from = settlementPausedUntil;
        uint256 total = uint256(hours_) * 1 hours;
        uint48 until = from + uint48(total);
        for (uint256 i = pauses.length; i > 0; --i) {
            Pause memory earlier = pauses[i - 1];
            uint48 start = until - PAUSE_PERIOD;
            if (earlier.until <= start) break;
            total += earlier.until - (earlier.from > start ? earlier.from : start);
        }
        if (total > PAUSE_BUDGET || hours_ == 0) revert InvalidPause(total);
        pauses.push(Pause(from, until));
        settlementPausedUntil = until;
        emit SettlementPaused(from, until);
    }

    /// @notice Reverts with InsufficientLiquidity. (A transfer of tokens to this contract adds liquidity.)
    function withdrawLiquidity(address to, uint128 amount) external onlyOwner nonReentrant {
        emit LiquidityWithdrawn(to, amount);
        _pay(to, amount);
    }

    /// @dev Counts `amount` towards this hour. Reverts with OutflowCapExceeded.
    function _spendOutflow(uint128 amount) internal {
        Outflow memory current = _currentOutflow();
        uint256 available = _availableOutflow(current);
        if (amount > available) revert OutflowCapExceeded(available, amount);
        // amount ≤ cap, which is a uint104.
        current.spent += uint104(amount);
        outflow = current;
    }

    /// @dev Whether a claim of `amount` would be paid now.
    function _isFunded(uint128 amount) internal view returns (bool) {
        return amount <= _availableOutflow(_currentOutflow()) && amount <= liquidity();
    }

    /// @dev Nothing is spent yet if a new hour has begun since the last claim.
    function _currentOutflow() private view returns (Outflow memory current) {
        current = outflow;
        uint48 hour = uint48(block.timestamp / 1 hours);
        if (current.hour != hour) {
            current.hour = hour;
            current.spent = 0;
        }
    }

    /// @dev A lowered cap may be below the amount already spent.
    function _availableOutflow(Outflow memory current) private pure returns (uint256) {
        return current.cap > current.spent ? current.cap - current.spent : 0;
    }
}
