// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PINS, SESSIONS} from "../../interfaces/IEpochs.sol";
import {
    GuardianSet,
    GuardianSignature,
    IOwnership,
    Owner,
    OwnershipState
} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {HandlerModel} from "./HandlerModel.sol";
import {IApprovingSafe} from "./thresholds.t.sol";

interface IModules {
    function enableModule(address module) external;
    function disableModule(address previous, address module) external;
    function isModuleEnabled(address module) external view returns (bool);
    function execTransactionFromModule(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        returns (bool success);
}

/// @dev Two accounts of one passkey stand for one account on two networks (NetworksTest shows that one signature holds on
/// both): the same log of changes and recoveries is applied to each, at its own pace. Guardians also start and take back
/// recoveries that are in no log, and the account changes its owners, threshold, pins and modules by itself. A model of each
/// network says what everything must be; ghost variables count.
contract Handler is HandlerModel {
    uint256 private constant NETWORKS = 2;
    uint256 public constant ATTEMPTS = 31;
    uint64 private constant STEP = 2 ** 32;

    Network[NETWORKS] private _networks;
    Message[] private _log;
    /// @dev Of each network, the call that started the last recovery.
    mapping(address safe => bytes) private _lastStart;
    uint256 private _clock;

    mapping(string state => uint256) public reached;
    mapping(uint256 kind => uint256) public tried;
    mapping(uint256 kind => uint256) public succeeded;
    uint256 public attacksThatSucceeded;
    uint256 public wronglyRefused;

    /// @dev The steps do not rely on cheat codes of earlier calls.
    modifier step() {
        vm.warp(_clock);
        _;
        _clock = block.timestamp;
    }

    function setUp() public override {
        super.setUp();
        _prepareOwners();
        address other = _createSafe(sharedSigner);
        _enable(other);
        // The same key, by another initializer: the account has another address.
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        vm.prank(address(ownership));
        IModules(other)
            .execTransactionFromModule(
                sharedSigner,
                0,
                abi.encodeWithSignature("configure((uint256,uint256,uint176))", x, y, _verifiers()),
                1
            );
        _log.push(Message(SET_GUARDIANS, 0, 0, 0));
        _begin(_networks[0], passkeyAccount);
        _begin(_networks[1], other);
        _clock = block.timestamp;
    }

    function _begin(Network storage here, address safe) private {
        here.safe = safe;
        here.set = NO_SET;
        here.isEnabled = true;
        here.owners.mask = 1 << SHARED;
        here.owners.threshold = 1;
        vm.prank(safe);
        ISafeAccount(safe).enableModule(address(sessionKeys));
        _applyNext(here);
    }

    // The log

    /// @dev Appends two changes.
    function sign(uint256 seed) external step {
        _append(seed);
        _append(seed >> 128);
    }

    function _append(uint256 seed) private {
        Message memory message;
        message.first = (seed >> 8) % NAMES;
        message.second = (seed >> 16) % NAMES;
        if (hasCode && seed >> 64 & 1 == 1) message.first = message.second = DELEGATING;
        uint256 kind = seed % 12;
        if (kind < 3) message.kind = ADD;
        else if (kind < 5) message.kind = REMOVE;
        else if (kind < 7) message.kind = REPLACE;
        else if (kind == 7) (message.kind, message.value) = (SET_THRESHOLD, 1 + (seed >> 24) % 3);
        else if (kind < 10) (message.kind, message.value) = (SET_GUARDIANS, (seed >> 24) % 5 % 3);
        else message.kind = kind == 10 ? REVOKE_SESSIONS : CANCEL;
        // The first passkey in both ways in which it may own the account.
        if (message.kind == REPLACE && seed >> 72 & 7 == 0) {
            (message.first, message.second) = (FIRST_PASSKEY, FIRST_BY_ADDRESS);
        }
        _log.push(message);
    }

    /// @dev Appends a recovery.
    function signRecovery(uint256 seed) external step {
        _log.push(_recovery(seed));
    }

    /// @dev Applies the next messages on a network.
    function applyNext(uint8 network) external step {
        for (uint256 i; i < 3; ++i) {
            _applyNext(_here(network));
        }
    }

    function _applyNext(Network storage here) private {
        if (here.sequence >= _log.length || !here.isEnabled) return;
        Message memory message = _log[here.sequence];
        if (message.kind == RECOVERY) return _recover(here, message);
        // Most accounts have none at that time, and nothing would have to leave.
        if (message.kind == SET_THRESHOLD && message.value > 1 && here.sequence % 2 == 0) {
            _ownBySessions(here);
        }
        bytes memory data = _dataOf(message);
        bytes32 hash = ownership.changeHash(here.safe, here.sequence, message.kind, data);
        (bool fits, Owners memory next) = _changed(here, message);
        // More must sign than own it, because the account itself set the threshold.
        if (_count(here.owners.mask) < here.owners.threshold) fits = false;
        if (!fits) return _skip(here, hash);
        bytes memory signatures = _signatures(here.owners.mask, here.owners.threshold, hash);
        try ownership.applyChange(here.safe, here.sequence, message.kind, data, signatures) {
            if (here.running != 0) ++reached["recoveries cancelled by a change"];
            if (here.owners.threshold > 1) ++reached["changes that several sign"];
            if (next.pinEpoch > here.owners.pinEpoch) ++reached["thresholds above 1"];
            if (_isRefused(here, message)) ++reached["owners refused"];
            _count(message.kind);
            here.owners = next;
            _consume(here, hash);
            if (message.kind == SET_GUARDIANS) _setNext(here, message.value);
        } catch {
            ++wronglyRefused;
        }
    }

    function _count(bytes32 kind) private {
        ++reached["changes applied"];
        if (kind == REPLACE) ++reached["owners replaced"];
        if (kind == REVOKE_SESSIONS) ++reached["sessions ended"];
    }

    /// @dev What cannot be applied on this network, the account takes over from another.
    function _skip(Network storage here, bytes32 hash) private {
        bytes32 head = keccak256(abi.encode(here.head, hash));
        vm.prank(here.safe);
        ownership.resync(here.sequence + 1, head);
        ++reached["networks that joined again"];
        _consume(here, hash);
    }

    function _recover(Network storage here, Message memory message) private {
        Owner[] memory owners = _newOwners(message);
        bytes32 hash = ownership.recoveryHash(here.safe, here.sequence, here.number, owners, message.value);
        if (here.running != hash) {
            if (here.set == NO_SET || !_isStartable(here, message)) {
                return _skip(here, ownership.resultHash(here.safe, here.sequence, owners, message.value));
            }
            _start(here, message);
        } else if (block.timestamp >= here.readyAt) {
            _execute(here);
        } else {
            vm.warp(here.readyAt);
        }
    }

    // Guardians

    /// @dev Guardians start what is in no log, in place of what runs.
    function startRival(uint8 network, uint256 seed) external step {
        Network storage here = _here(network);
        Message memory message = _recovery(seed);
        if (here.set == NO_SET || !here.isEnabled || !_isStartable(here, message)) return;
        if (here.running != 0) ++reached["recoveries replaced"];
        _start(here, message);
    }

    /// @dev They take back what runs, or what could be started.
    function cancelRecoveries(uint8 network, uint256 seed) external step {
        Network storage here = _here(network);
        if (here.set == NO_SET || !here.isEnabled) return;
        _cancel(here, here.number + uint64(seed % 3));
    }

    function _cancel(Network storage here, uint64 number) private {
        try ownership.cancelRecovery(
            here.safe, here.sequence, number, _setOf(here.set), _cancelledBy(here, number, 2)
        ) {
            ++reached["recoveries taken back"];
            here.number = number;
            here.running = 0;
            here.isOfFormer = false;
        } catch {
            ++wronglyRefused;
        }
    }

    /// @dev Anyone executes what is due. One of the new owners may have got code meanwhile.
    function execute(uint8 network, bool delegates) external step {
        Network storage here = _here(network);
        if (!here.isEnabled) return;
        if (delegates && here.running == 0 && here.set != NO_SET && !hasCode) {
            _start(here, Message(RECOVERY, DELEGATING, 0, 1));
        }
        if (here.running == 0) return;
        if (block.timestamp < here.readyAt) vm.warp(here.readyAt);
        if (_here(network).running == 0) return;
        if (delegates && (here.last.first == DELEGATING || here.last.second == DELEGATING)) _delegate(true);
        _execute(here);
    }

    function _execute(Network storage here) private {
        Message memory message = here.last;
        Owner[] memory owners = _newOwners(message);
        try ownership.executeRecovery(here.safe, owners, message.value) {
            ++reached["recoveries executed"];
            // A change of guardians ends what runs, and what they start then is due only after they have gone.
            if (here.nextSetFrom != 0) ++attacksThatSucceeded;
            if (_isRefused(here, message)) {
                ++reached["recoveries refused at their execution"];
            } else {
                if (message.value > 1) ++reached["recoveries to a threshold of 2"];
                if (_disown(here.owners)) ++reached["sessions ended by a recovery"];
                here.owners = _recovered(here.owners, message);
            }
            _consume(here, ownership.resultHash(here.safe, here.sequence, owners, message.value));
        } catch {
            ++wronglyRefused;
        }
    }

    function _disown(Owners storage owners) private view returns (bool) {
        return owners.hasSessions || owners.hasGrant;
    }

    /// @dev An owner replaces the guardians, twice, while they start again and again; at last others count.
    function replaceGuardians(uint8 network, uint256 seed) external step {
        _replaceGuardians(network, seed);
    }

    function _replaceGuardians(uint8 network, uint256 seed) private {
        Network storage here = _here(network);
        if (!here.isEnabled || here.sequence < _log.length) return;
        if (_count(here.owners.mask) < here.owners.threshold) return;
        Message memory message = _recovery(seed);
        if (!_isStartable(here, message)) return;
        _setGuardians(here, 0);
        for (uint256 i; i < 3; ++i) {
            if (here.set == NO_SET) return;
            _start(here, message);
            if (i < 2) _setGuardians(here, (here.set + 1 + i) % 3);
            vm.warp(block.timestamp + 1 hours);
            // Other guardians may count by now.
            here = _here(network);
        }
        if (here.nextSetFrom != 0 && seed >> 128 & 1 == 1) vm.warp(here.nextSetFrom);
    }

    function _setGuardians(Network storage here, uint256 set) private {
        _log.push(Message(SET_GUARDIANS, 0, 0, set));
        _applyNext(here);
    }

    function _start(Network storage here, Message memory message) private {
        uint64 number = here.number + 1;
        bytes memory call = _startCall(here, message, number, 2);
        (bool success,) = address(ownership).call(call);
        if (!success) {
            ++wronglyRefused;
            return;
        }
        ++reached["recoveries started"];
        _lastStart[here.safe] = call;
        here.number = number;
        here.running =
            ownership.recoveryHash(here.safe, here.sequence, number, _newOwners(message), message.value);
        here.readyAt = block.timestamp + _setOf(here.set).delay;
        here.isOfFormer = false;
        here.last = message;
    }

    // What the account does by itself

    function meddle(uint8 network, uint256 seed) external step {
        Network storage here = _here(network);
        Owners memory owners = here.owners;
        uint256 kind = here.isEnabled ? seed % 7 : 4;
        seed >>= 8;
        vm.startPrank(here.safe);
        if (kind == 0) {
            uint256 bit = seed % ADDRESSES;
            if (owners.mask & 1 << bit == 0) {
                IOwnedSafe(here.safe).addOwnerWithThreshold(_addressAt(bit), owners.threshold);
                owners.mask |= 1 << bit;
            } else if (_count(owners.mask) > owners.threshold) {
                IOwnedSafe(here.safe)
                    .removeOwner(_previous(here.safe, _addressAt(bit)), _addressAt(bit), owners.threshold);
                owners.mask &= ~(1 << bit);
            }
            ++reached["owners changed by the account"];
        } else if (kind == 1) {
            owners.threshold = 1 + seed % _count(owners.mask);
            IOwnedSafe(here.safe).changeThreshold(owners.threshold);
        } else if (kind < 4) {
            uint256 name = seed % NAMES;
            if (owners.pins & 1 << name == 0) pins.addSigner(_pinOf(name));
            else pins.removeSigner(_pinOf(name));
            owners.pins ^= 1 << name;
            ++reached["pins changed by the account"];
        } else if (kind == 4) {
            if (here.isEnabled) {
                IModules(here.safe).disableModule(_previousModule(here.safe), address(ownership));
                ++reached["modules disabled"];
            } else {
                IModules(here.safe).enableModule(address(ownership));
            }
            here.isEnabled = !here.isEnabled;
        } else if (!owners.hasSessions) {
            vm.stopPrank();
            return _ownBySessions(here);
        } else {
            sessionKeys.grant(bytes32(uint256(1)), _session());
            owners.hasGrant = true;
        }
        vm.stopPrank();
        here.owners = owners;
    }

    function _ownBySessions(Network storage here) private {
        if (here.owners.hasSessions) return;
        here.owners.hasSessions = true;
        vm.prank(here.safe);
        ISafeAccount(here.safe).addOwnerWithThreshold(address(sessionKeys), here.owners.threshold);
    }

    /// @dev The module signs nothing, so it counts as no owner.
    function _ownByModule(Network storage here) private {
        if (here.owners.hasModule) return;
        here.owners.hasModule = true;
        vm.prank(here.safe);
        ISafeAccount(here.safe).addOwnerWithThreshold(address(ownership), here.owners.threshold);
    }

    /// @dev The key of one owner delegates to code as which anyone could sign (EIP-7702), or to none.
    function delegate() external step {
        _delegate(!hasCode);
    }

    function _delegate(bool toCode) private {
        hasCode = toCode;
        vm.etch(_addressAt(DELEGATING), hasCode ? compatible.code : bytes(""));
    }

    function wait(uint256 time) external step {
        vm.warp(block.timestamp + (time % 3 == 0 ? 33 days : bound(time, 1, 2 days)));
    }

    // Attacks. Nothing but one guard stands against each.

    /// @dev Each kind is as likely as any other: the campaign prefers few values.
    function attemptSome(uint8 network, uint256 seed) external step {
        for (uint256 i; i < 3; ++i) {
            seed = uint256(keccak256(abi.encode(seed, i)));
            _attemptOne(network, seed >> 160, seed);
        }
    }

    function attempt(uint8 network, uint256 kind, uint256 seed) external step {
        _attemptOne(network, kind, seed);
    }

    function _attemptOne(uint8 network, uint256 kind, uint256 seed) private {
        Network storage here = _here(network);
        kind %= ATTEMPTS;
        Network storage other = _networks[1 - network % NETWORKS];
        if (!here.isEnabled) return _attemptWhileDisabled(here, seed);
        if (kind == 16 && seed >> 129 & 1 == 0) {
            for (uint256 i; i < 30 && here.sequence < _log.length; ++i) {
                // Other guardians may count by now.
                _applyNext(_here(network));
            }
            _replaceGuardians(network, seed);
            _endByGuardians(_here(network));
            here = _here(network);
        } else if (kind > 12 && kind < 17) {
            _prepareExecution(here, kind, seed);
            here = _here(network);
        }
        if (kind < 13) _attemptChange(here, kind, seed, other.safe);
        else if (kind < 17) _attemptExecution(here, kind);
        else if (kind < 18) return;
        else if (kind < 27) _attemptStart(here, kind, seed, other);
        else if (kind < 30) _attemptCancellation(here, kind);
        else _attemptResync(here, seed);
    }

    function _attemptChange(Network storage here, uint256 kind, uint256 seed, address other) private {
        uint256 mask = here.owners.mask;
        uint256 threshold = here.owners.threshold;
        if (_count(mask) < threshold) return;
        uint64 sequence = here.sequence;
        address signedFor = here.safe;
        // An outsider becomes an owner, wherever that is possible at all.
        bytes32 signedKind = ADD;
        bytes memory data = abi.encode(_eoa(THIRD_PARTY_KEY));
        if (kind == 0) {
            if (threshold > 1) return;
            mask = ~mask & ((1 << ADDRESSES) - 1);
            if (mask == 0) return;
        } else if (kind == 1) {
            ++sequence;
        } else if (kind == 2) {
            if (sequence == 0) return;
            --sequence;
        } else if (kind == 3) {
            if (threshold > 1) return;
            _ownByModule(here);
        } else if (kind == 4) {
            signedFor = other;
        } else if (kind == 5) {
            // The Safe itself counts SessionKeys and the module, and the account made all of its owners sign.
            _ownByModule(here);
            threshold = here.owners.threshold = _count(mask);
            vm.prank(here.safe);
            IOwnedSafe(here.safe).changeThreshold(threshold);
            Message memory removal = Message(REMOVE, seed % NAMES, 0, 0);
            // One that owns the account, or nothing is removed.
            for (uint256 i; i < NAMES && _fits(here, removal); ++i) {
                removal.first = (removal.first + 1) % NAMES;
            }
            if (_fits(here, removal)) return;
            (signedKind, data) = (REMOVE, _dataOf(removal));
        } else if (kind == 6) {
            if (threshold == 1) return;
        } else if (kind == 8) {
            signedKind = REMOVE;
            data = abi.encode(_name(NEVER));
        } else if (kind == 11) {
            (signedKind, data) = (seed % 2 == 0 ? CANCEL : REVOKE_SESSIONS, hex"00");
            if (signedKind == REVOKE_SESSIONS && here.owners.hasSessions) return;
        } else if (kind == 12) {
            _ownByModule(here);
            (signedKind, data) = (SET_THRESHOLD, abi.encode(_count(mask) + 1));
        }
        bytes32 hash = ownership.changeHash(signedFor, sequence, signedKind, data);
        bytes memory signatures = _signatures(mask, kind == 6 ? threshold - 1 : threshold, hash);
        if (kind == 3) {
            signatures = abi.encodePacked(uint256(uint160(address(ownership))), uint256(0), uint8(1));
        } else if (kind == 7) {
            // Approved by one of the owners, in place of a signature.
            if (mask & 1 == 0) return;
            vm.prank(_addressAt(0));
            IApprovingSafe(here.safe).approveHash(hash);
            approver = _addressAt(0);
            for (uint256 bit = 1; _count(mask) > threshold; ++bit) {
                mask &= ~(1 << bit);
            }
            signatures = _signatures(mask, threshold, hash);
            approver = address(0);
        } else if (kind == 8) {
            // The kind is another one, of the same data.
            signedKind = ADD;
        } else if (kind == 9) {
            signatures = bytes.concat(signatures, new bytes(2_049 * threshold - signatures.length));
        } else if (kind == 10) {
            // The data is another one, of the same kind.
            data = abi.encode(_name(NEVER));
        }
        _attempt(
            kind, abi.encodeCall(IOwnership.applyChange, (here.safe, sequence, signedKind, data, signatures))
        );
    }

    function _fits(Network storage here, Message memory message) private view returns (bool fits) {
        (fits,) = _changed(here, message);
    }

    function _attemptExecution(Network storage here, uint256 kind) private {
        // All but the first need a recovery whose delay has passed.
        bool isDue = block.timestamp >= here.readyAt;
        Owner[] memory owners = _newOwners(here.last);
        uint256 threshold = here.last.value;
        if (kind == 13) {
            if (here.running == 0 || isDue) return;
        } else if (kind == 14) {
            if (here.running == 0 || !isDue) return;
            owners = _only(_eoa(THIRD_PARTY_KEY));
        } else if (kind == 15) {
            if (here.running == 0 || !isDue) return;
            threshold = 3 - threshold;
        } else {
            // What has ended, of a sequence that has not.
            if (owners.length == 0 || here.running != 0 || !isDue) return;
        }
        _attempt(kind, abi.encodeCall(IOwnership.executeRecovery, (here.safe, owners, threshold)));
    }

    /// @dev A recovery whose delay has passed, or one that has lapsed or was taken back since; before the first kind, any.
    function _prepareExecution(Network storage here, uint256 kind, uint256 seed) private {
        Message memory message = _recovery(seed);
        if (here.set == NO_SET) return;
        if (here.running == 0 && _isStartable(here, message)) _start(here, message);
        if (here.running == 0 || kind == 13) return;
        if (kind == 16 && seed >> 128 & 1 == 0) return vm.warp(here.readyAt + 30 days + 1);
        if (kind == 16) _cancel(here, here.number);
        if (block.timestamp < here.readyAt) vm.warp(here.readyAt);
    }

    /// @dev What former guardians started is due, and nothing was sent since: any other message ends it by itself.
    function _endByGuardians(Network storage here) private {
        if (!here.isOfFormer && (here.running == 0 || here.nextSetFrom == 0)) return;
        ++reached["recoveries of former guardians that are due"];
        if (block.timestamp < here.nextSetFrom) vm.warp(here.nextSetFrom);
        if (block.timestamp < here.readyAt) vm.warp(here.readyAt);
    }

    /// @dev What is due, or any change.
    function _attemptWhileDisabled(Network storage here, uint256 seed) private {
        bool isDue = here.running != 0 && block.timestamp >= here.readyAt && seed % 2 == 0;
        bytes32 hash = ownership.changeHash(here.safe, here.sequence, CANCEL, "");
        if (_count(here.owners.mask) < here.owners.threshold) return;
        bytes memory signatures = _signatures(here.owners.mask, here.owners.threshold, hash);
        _attempt(
            17,
            isDue
                ? abi.encodeCall(
                    IOwnership.executeRecovery, (here.safe, _newOwners(here.last), here.last.value)
                )
                : abi.encodeCall(IOwnership.applyChange, (here.safe, here.sequence, CANCEL, "", signatures))
        );
    }

    function _attemptStart(Network storage here, uint256 kind, uint256 seed, Network storage other) private {
        if (here.set == NO_SET) return;
        Message memory message = _recovery(seed);
        bytes memory call;
        if (kind == 26) {
            // What was started, and ended or was replaced since.
            call = _lastStart[here.safe];
            if (call.length == 0) return;
        } else if (kind == 24) {
            // A contract as which anyone could sign.
            if (!hasCode) return;
            (message.first, message.value) = (DELEGATING, 1);
            call = _startCall(here, message, here.number + 1, 2);
        } else if (kind == 25) {
            // One owner, of which two must sign.
            (message.second, message.value) = (message.first, 2);
            if (_isRefused(here, message)) return;
            call = _startCall(here, message, here.number + 1, 2);
        } else {
            if (!_isStartable(here, message)) return;
            call = _brokenStart(here, message, kind, other);
            if (call.length == 0) return;
        }
        _attempt(kind, call);
    }

    function _brokenStart(Network storage here, Message memory message, uint256 kind, Network storage other)
        private
        view
        returns (bytes memory)
    {
        Owner[] memory owners = _newOwners(message);
        uint256 by = here.set;
        uint64 number = here.number + 1;
        if (kind == 18) {
            // The number of the last one.
            number = here.number;
        } else if (kind == 19) {
            number = here.number + STEP + 1;
        }
        GuardianSignature[] memory signatures = _byGuardians(
            ownership.recoveryHash(
                kind == 23 ? other.safe : here.safe, here.sequence, number, owners, message.value
            ),
            by,
            kind == 20 ? 1 : 2
        );
        if (kind == 21) {
            // One of them twice.
            signatures[1] = signatures[0];
        } else if (kind == 22) {
            // None of them.
            uint256 outsider = _outsider(signatures[0].guardian);
            bytes32 hash = ownership.recoveryHash(here.safe, here.sequence, number, owners, message.value);
            signatures[1] = GuardianSignature(vm.addr(outsider), _keySignature(outsider, hash));
        }
        if (kind == 23 && here.sequence % 2 == 1) {
            // The other set, for this account.
            by = 1 - by;
            signatures = _byGuardians(
                ownership.recoveryHash(here.safe, here.sequence, number, owners, message.value), by, 2
            );
        }
        return abi.encodeCall(
            IOwnership.startRecovery,
            (here.safe, here.sequence, number, owners, message.value, _setOf(by), signatures)
        );
    }

    function _attemptCancellation(Network storage here, uint256 kind) private {
        if (here.set == NO_SET) return;
        uint64 number = here.number;
        if (kind == 28) {
            if (number == 0) return;
            --number;
        } else if (kind == 29) {
            number += STEP + 1;
        }
        _attempt(
            kind,
            abi.encodeCall(
                IOwnership.cancelRecovery,
                (
                    here.safe,
                    here.sequence,
                    number,
                    _setOf(here.set),
                    _cancelledBy(here, number, kind == 27 ? 1 : 2)
                )
            )
        );
    }

    /// @dev Down, to the same sequence, or too far.
    function _attemptResync(Network storage here, uint256 seed) private {
        uint64 sequence = seed % 3 == 0 ? here.sequence + 1_025 : here.sequence;
        if (seed % 3 == 1 && sequence > 0) --sequence;
        vm.prank(here.safe);
        _attempt(30, abi.encodeCall(IOwnership.resync, (sequence, keccak256("head"))));
    }

    function _attempt(uint256 kind, bytes memory call) private {
        ++tried[kind];
        (bool success,) = address(ownership).call(call);
        if (!success) return;
        ++succeeded[kind];
        ++attacksThatSucceeded;
    }

    // What must hold

    function check() external step {
        for (uint256 i; i < NETWORKS; ++i) {
            _checkState(_networks[i]);
            _checkOwners(_networks[i].safe, _networks[i].owners);
            assertTrue(
                IModules(_networks[i].safe).isModuleEnabled(address(ownership)) == _networks[i].isEnabled,
                "no module but by the account"
            );
        }
    }

    function _checkState(Network storage here) private view {
        OwnershipState memory state = ownership.stateOf(here.safe);
        bool isEnded = here.nextSetFrom != 0 && here.nextSetFrom <= block.timestamp;
        assertEq(state.sequence, here.sequence, "sequence");
        assertTrue(state.head == here.head, "head");
        assertTrue(state.guardians == _hashOf(isEnded ? here.nextSet : here.set), "guardians");
        assertTrue(state.recovery == (isEnded || _isOver(here) ? bytes32(0) : here.running), "recovery");
        assertEq(state.number, here.number, "number");
        assertEq(state.recoveryReadyAt, here.readyAt, "ready at");
        assertEq(state.nextGuardiansFrom, isEnded ? 0 : here.nextSetFrom, "next guardians from");
        bool hasNext = here.nextSetFrom != 0 && !isEnded;
        assertTrue(state.nextGuardians == (hasNext ? _hashOf(here.nextSet) : bytes32(0)), "next guardians");
    }

    function _checkOwners(address safe, Owners memory owners) private view {
        uint256 count;
        for (uint256 bit; bit < ADDRESSES; ++bit) {
            bool isOwner = owners.mask & 1 << bit != 0;
            if (isOwner) ++count;
            assertTrue(IOwnedSafe(safe).isOwner(_addressAt(bit)) == isOwner, "the owners that were signed");
        }
        for (uint256 name; name < NAMES; ++name) {
            bool isPinned = pins.signerUntil(safe, _pinOf(name)) == type(uint48).max;
            assertTrue(isPinned == (owners.pins & 1 << name != 0), "pins follow");
        }
        assertTrue(count > 0, "it has an owner");
        assertTrue(IOwnedSafe(safe).isOwner(address(sessionKeys)) == owners.hasSessions, "sessions end");
        assertEq(sessionKeys.keysOf(safe).length, owners.hasGrant ? 1 : 0, "and with them what was granted");
        if (owners.hasSessions) ++count;
        if (owners.hasModule) ++count;
        assertEq(IOwnedSafe(safe).getOwners().length, count, "and no others");
        assertEq(IOwnedSafe(safe).getThreshold(), owners.threshold, "the threshold that was signed");
        assertEq(epochs.epochOf(safe, PINS), owners.pinEpoch, "epochs of pins");
        assertEq(epochs.epochOf(safe, SESSIONS), owners.sessionEpoch, "epochs of sessions");
    }

    // The model of a network

    /// @dev The network's model, after guardians whose time has come.
    function _here(uint8 network) private returns (Network storage here) {
        here = _networks[network % NETWORKS];
        if (_isOver(here)) {
            if (here.running != 0) ++reached["recoveries lapsed"];
            here.running = 0;
        }
        if (here.nextSetFrom == 0 || here.nextSetFrom > block.timestamp) return here;
        here.set = here.nextSet;
        here.nextSetFrom = 0;
        if (here.running != 0) {
            ++reached["recoveries that end with their guardians"];
            here.isOfFormer = true;
        }
        here.running = 0;
    }

    function _setNext(Network storage here, uint256 set) private {
        if (here.nextSetFrom == 0 && here.readyAt <= block.timestamp) {
            here.set = set;
            return;
        }
        ++reached["guardians that wait"];
        here.nextSet = set;
        if (here.nextSetFrom == 0) here.nextSetFrom = here.readyAt;
    }

    function _consume(Network storage here, bytes32 hash) private {
        here.head = keccak256(abi.encode(here.head, hash));
        ++here.sequence;
        here.number = 0;
        here.running = 0;
        here.isOfFormer = false;
    }
}
