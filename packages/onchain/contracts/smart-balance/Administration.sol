// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IOutcomeVerifier} from "../interfaces/IOutcomeVerifier.sol";
import {Proposal} from "./libraries/Proposal.sol";
import {PermanentOwner} from "./PermanentOwner.sol";
import {Vault} from "./Vault.sol";

/// @title The owner's decisions: roles, limits, liquidity
/// @notice Every function reverts with OwnableUnauthorizedAccount unless the owner calls it; two of them let the
/// guardian stop new orders. No function can move a deposit.
abstract contract Administration is Vault, PermanentOwner {
    /// @notice Thrown if the caller is not a settler.
    error NotSettler(address caller);

    /// @notice Thrown if a claim exceeds the rest of this hour's cap.
    error OutflowCapExceeded(uint256 available, uint256 wanted);

    event OperatorSet(address indexed operator, bool allowed);
    event SettlerSet(address indexed settler, bool allowed);
    event GuardianSet(address indexed guardian);
    event VerifierProposed(IOutcomeVerifier indexed verifier, uint48 readyAt);
    event VerifierSet(IOutcomeVerifier indexed verifier);
    event OutflowCapSet(uint104 cap);
    event PausedSet(bool paused);
    event LiquidityWithdrawn(address indexed to, uint256 amount);

    struct Outflow {
        /// The maximum that may be lent in one hour of the clock.
        uint104 cap;
        uint104 spent;
        /// block.timestamp / 1 hours of `spent`.
        uint48 hour;
    }

    /// @notice May pause new orders and revoke operators, and nothing else, so its key can be kept at hand. 0 if there
    /// is none.
    address public guardian;

    /// @notice May sign orders and withdrawals. Changes are immediate: an operator can only lend, up to the cap.
    mapping(address operator => bool) public isOperator;

    /// @notice May call settle. Changes are immediate: a settler moves nothing without the user and the verifier.
    mapping(address settler => bool) public isSettler;

    /// @notice Decides the outcome of orders on other networks.
    IOutcomeVerifier public verifier;

    /// @notice A proposed verifier, which {applyVerifier} can apply from `verifierReadyAt` on.
    IOutcomeVerifier public pendingVerifier;
    uint48 public verifierReadyAt;

    /// @notice Stops new orders. Deposits, withdrawals, exits and settlement continue.
    bool public paused;

    /// @notice Nothing can be lent until the owner has set a cap.
    Outflow public outflow;

    modifier onlySettler() {
        if (!isSettler[msg.sender]) revert NotSettler(msg.sender);
        _;
    }

    /// @param stops Whether the call only stops something, which the guardian may do as well.
    modifier onlyOwnerOrGuardian(bool stops) {
        if (!stops || msg.sender != guardian) _checkOwner();
        _;
    }

    constructor(IOutcomeVerifier verifier_) {
        verifier = verifier_;
        emit VerifierSet(verifier_);
    }

    /// @notice Sets the guardian immediately; 0 means none.
    function setGuardian(address guardian_) external onlyOwner {
        guardian = guardian_;
        emit GuardianSet(guardian_);
    }

    /// @notice The guardian may revoke operators.
    function setOperator(address operator, bool allowed) external onlyOwnerOrGuardian(!allowed) {
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

    /// @notice The guardian may pause; only the owner may unpause.
    function setPaused(bool paused_) external onlyOwnerOrGuardian(paused_) {
        paused = paused_;
        emit PausedSet(paused_);
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
