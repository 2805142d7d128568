// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IOutcomeVerifier, Outcome} from "./interfaces/IOutcomeVerifier.sol";
import {Proposal} from "./smart-balance/libraries/Proposal.sol";
import {PermanentOwner} from "./smart-balance/PermanentOwner.sol";

/// @title m of n attestors attest the outcome of an order
/// @notice Changes that weaken the set (another attestor, a lower threshold) are announced as described in {Proposal},
/// so that anyone who distrusts them can leave first. Changes that strengthen it take effect immediately. Attestors
/// must not use the keys of operators. An attestation is EIP-712 over `Attestation(bytes32 orderHash,uint8 outcome)` in
/// the domain `{ name "SmartBalance", version "1", verifyingContract }` of the calling SmartBalance. The domain has no
/// chainId, so one attestation is valid on all source networks.
contract AttestorSet is IOutcomeVerifier, PermanentOwner {
    /// @notice Thrown if the threshold would be 0, or not below the number of attestors (n ≥ m + 1: the loss of one
    /// must not stop settlement).
    error InvalidThreshold(uint256 threshold, uint256 attestors);

    /// @notice Thrown if the address is 0 or already an attestor.
    error InvalidAttestor(address attestor);

    /// @notice Thrown if the address to remove is neither an attestor nor proposed.
    error UnknownAttestor(address attestor);

    event AttestorProposed(address indexed attestor, uint48 readyAt);
    event AttestorAdded(address indexed attestor);
    event AttestorRemoved(address indexed attestor);
    event ThresholdProposed(uint256 threshold, uint48 readyAt);
    event ThresholdSet(uint256 threshold);

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,address verifyingContract)");
    bytes32 private constant ATTESTATION_TYPEHASH =
        keccak256("Attestation(bytes32 orderHash,uint8 outcome)");
    bytes32 private constant NAME_HASH = keccak256("SmartBalance");
    bytes32 private constant VERSION_HASH = keccak256("1");

    mapping(address attestor => bool) public isAttestor;

    /// @notice The time from which a proposed attestor can be added; 0 if it is not proposed.
    mapping(address attestor => uint48) public attestorReadyAt;

    /// @notice n.
    uint256 public attestorCount;

    /// @notice m: the number of attestors that must agree.
    uint256 public threshold;

    /// @notice A proposed lower threshold, and the time from which it can be applied; 0 if there is none.
    uint256 public pendingThreshold;
    uint48 public thresholdReadyAt;

    /// @notice The first members are added immediately. Reverts with InvalidAttestor, InvalidThreshold,
    /// OwnableInvalidOwner.
    constructor(address owner, address[] memory attestors, uint256 threshold_) Ownable(owner) {
        for (uint256 i; i < attestors.length; ++i) {
            _add(attestors[i]);
        }
        _setThreshold(threshold_);
    }

    /// @inheritdoc IOutcomeVerifier
    /// @param proof At least `threshold` signatures of 65 bytes, in ascending order of signers, each by an attestor.
    function verify(uint256, bytes32 orderHash, Outcome outcome, bytes calldata proof)
        external
        view
        returns (bool)
    {
        if (proof.length % 65 != 0 || proof.length / 65 < threshold) return false;
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, msg.sender));
        bytes32 digest = MessageHashUtils.toTypedDataHash(
            domain, keccak256(abi.encode(ATTESTATION_TYPEHASH, orderHash, outcome))
        );
        address previous;
        for (uint256 i; i < proof.length; i += 65) {
            (address attestor,,) = ECDSA.tryRecoverCalldata(digest, proof[i:i + 65]);
            // Ascending order means that each signer counts once, and excludes the zero address of a failed recovery.
            if (attestor <= previous || !isAttestor[attestor]) return false;
            previous = attestor;
        }
        return true;
    }

    /// @notice Reverts with InvalidAttestor.
    function proposeAttestor(address attestor) external onlyOwner {
        if (attestor == address(0) || isAttestor[attestor]) revert InvalidAttestor(attestor);
        attestorReadyAt[attestor] = Proposal.newReadyAt();
        emit AttestorProposed(attestor, attestorReadyAt[attestor]);
    }

    /// @notice Reverts with NotProposed, NotReady or ProposalLapsed.
    function addAttestor(address attestor) external onlyOwner {
        Proposal.requireReady(attestorReadyAt[attestor]);
        delete attestorReadyAt[attestor];
        _add(attestor);
    }

    /// @notice Removes an attestor, or its proposal, immediately. Removal is never rejected for leaving too few
    /// attestors: too few only stop settlement, at the operator's cost, while a bad attestor could cost users. Reverts
    /// with UnknownAttestor.
    function removeAttestor(address attestor) external onlyOwner {
        if (isAttestor[attestor]) {
            isAttestor[attestor] = false;
            --attestorCount;
        } else if (attestorReadyAt[attestor] != 0) {
            delete attestorReadyAt[attestor];
        } else {
            revert UnknownAttestor(attestor);
        }
        emit AttestorRemoved(attestor);
    }

    /// @notice Raises m immediately and drops a proposal to lower it. Reverts with InvalidThreshold (also if it is not
    /// higher).
    function raiseThreshold(uint256 threshold_) external onlyOwner {
        if (threshold_ <= threshold) revert InvalidThreshold(threshold_, attestorCount);
        delete pendingThreshold;
        delete thresholdReadyAt;
        _setThreshold(threshold_);
    }

    /// @notice Proposes a lower m, or withdraws the proposal (with the current m). Reverts with InvalidThreshold.
    function proposeThreshold(uint256 threshold_) external onlyOwner {
        if (threshold_ > threshold) revert InvalidThreshold(threshold_, attestorCount);
        pendingThreshold = threshold_;
        thresholdReadyAt = Proposal.newReadyAt();
        emit ThresholdProposed(threshold_, thresholdReadyAt);
    }

    /// @notice Reverts with NotProposed, NotReady, ProposalLapsed or InvalidThreshold.
    function applyThreshold() external onlyOwner {
        Proposal.requireReady(thresholdReadyAt);
        uint256 proposed = pendingThreshold;
        delete pendingThreshold;
        delete thresholdReadyAt;
        _setThreshold(proposed);
    }

    function _add(address attestor) private {
        if (attestor == address(0) || isAttestor[attestor]) revert InvalidAttestor(attestor);
        isAttestor[attestor] = true;
        ++attestorCount;
        emit AttestorAdded(attestor);
    }

    function _setThreshold(uint256 threshold_) private {
        if (threshold_ == 0 || attestorCount < threshold_ + 1) {
            revert InvalidThreshold(threshold_, attestorCount);
        }
        threshold = threshold_;
        emit ThresholdSet(threshold_);
    }
}
